import { beforeAll, describe, expect, test } from 'vitest'
import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import { dayOf, type ZoneName } from '../../../scripts/surge/day.ts'
import {
  fixedPrice,
  instantRatio,
  merchantCount,
  merchantOf,
  type PublishedMultiplier,
  serviceFormula,
} from '../../../scripts/surge/rules.ts'
import { type Shipment, type SimulatedDay, simulateDay } from '../../../scripts/surge/simulate-day.ts'
import { createMerchant } from '../../../src/access/create-merchant.ts'
import { stoppedClock, toTimestamp } from '../../../src/base/clock.ts'
import { publishSurge } from '../../../src/logistics/surge/publish-surge.ts'
import { fallMax, publicationMs, riseMax, surgeRules } from '../../../src/logistics/surge/surge-rules.ts'
import { insertAsked, insertQuoted, insertSent } from '../../logistics/surge/signals.ts'
import { useDatabase } from '../../support/database.ts'
import { operator } from '../../support/shop.ts'

/** Simulates a rainy afternoon minute by minute, twice: in memory, and through the database. */

const opened = useDatabase()

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const midnightMs = Date.UTC(2026, 10, 21)
const from = 15 * hourMs
const to = 18 * hourMs

const zoneIds: Readonly<Record<ZoneName, string>> = { west: 'lag-island', middle: 'lag-lekki-1', east: 'lag-lekki-2' }

const emptyCity = { shipments: [], quotes: [], idleRiders: () => 0, waitingShipments: () => 0 }
const published: PublishedMultiplier[] = []
let simulated: SimulatedDay = { shipments: [], quotes: [], prices: new Map() }
const merchantIds: MerchantId[] = []
// biome-ignore lint/suspicious/noExplicitAny: rows as the table has them, which the tests assert.
let snapshots: any[] = []

beforeAll(async () => {
  const formula = serviceFormula('the formula', surgeRules, [emptyCity, emptyCity, emptyCity, emptyCity], published)
  simulated = simulateDay(dayOf(4, true), {
    ...fixedPrice(),
    update: (nowMs, city) => {
      if (nowMs >= from && nowMs < to) formula.update(nowMs, city)
    },
  })
  const { database } = opened()
  const clock = stoppedClock(midnightMs + from)
  for (let count = 0; count < merchantCount; count++) {
    merchantIds.push((await createMerchant({ database, clock, nudge: () => undefined }, operator, 'Adire Lagos')).id)
  }
  // Only the three delivery zones of the simulation are active.
  await database.pool.query('update delivery_zones set active = id = any($1)', [Object.values(zoneIds)])
  for (; clock.nowMs() < midnightMs + to; clock.advance(minuteMs)) {
    await insertEvents(clock.nowMs() - midnightMs)
    await publishSurge({ database, clock }, surgeRules)
  }
  const { rows } = await database.pool.query(
    "select * from surge_snapshots where book = 'live' order by zone_id, slot_at",
  )
  snapshots = rows
})

const ids = new Map<Shipment, string>()

/** Returns the id of the merchant that the in-memory simulation assigns to the shipment or quote with this index. */
function merchantIdOf(index: number): MerchantId {
  const found = merchantIds[Number(merchantOf(index))]
  if (found === undefined) throw new Error('There is no such merchant.')
  return found
}
let insertedUntilMs = -1

/** Inserts into the database the events that the simulation has produced since the last call. */
async function insertEvents(nowMs: number): Promise<void> {
  const { database } = opened()
  const isNew = (atMs: number | undefined): atMs is number =>
    atMs !== undefined && atMs >= insertedUntilMs && atMs < nowMs
  const at = (ms: number) => midnightMs + ms
  const sent = simulated.shipments.filter(({ dispatchedMs }) => isNew(dispatchedMs))
  const made = await insertSent(
    database,
    sent.map((shipment) => ({
      merchantId: merchantIdOf(simulated.shipments.indexOf(shipment)),
      zoneId: zoneIds[shipment.zone],
      dispatchedMs: at(shipment.dispatchedMs),
      assignedMs: null,
    })),
  )
  for (const [index, shipment] of sent.entries()) ids.set(shipment, made[index] ?? '')
  const quotes = simulated.quotes.filter(({ atMs }) => isNew(atMs))
  await insertQuoted(
    database,
    quotes.map((quote) => ({
      merchantId: merchantIdOf(simulated.quotes.indexOf(quote)),
      zoneId: zoneIds[quote.zone],
      createdMs: at(quote.atMs),
      isUsed: quote.isUsed,
    })),
  )
  for (const [index, shipment] of simulated.shipments.entries()) {
    const merchantId = merchantIdOf(index)
    const shipmentId = ids.get(shipment)
    if (shipmentId === undefined) continue
    const { busyMs, acceptedMs, assignedMs, lostMs } = shipment
    const asked = [...busyMs.map((atMs) => [atMs, false] as const), [acceptedMs, true] as const].flatMap(
      ([atMs, isAccepted], place) =>
        isNew(atMs) ? [{ merchantId, shipmentId, number: place + 1, atMs: at(atMs), isAccepted }] : [],
    )
    await insertAsked(database, asked)
    if (isNew(assignedMs)) {
      await database.pool.query(
        "update shipments set status = 'courier_assigned', service_level = 'on_demand', assigned_at = $2 where id = $1",
        [shipmentId, toTimestamp(at(assignedMs))],
      )
    }
    if (isNew(lostMs)) {
      await database.pool.query("update shipments set status = 'failed', ended_at = $2 where id = $1", [
        shipmentId,
        toTimestamp(at(lostMs)),
      ])
    }
  }
  insertedUntilMs = nowMs
}

describe('a replay of surge through the database', () => {
  test('a replay of surge through the database publishes the same surge multipliers as the in-memory replay', () => {
    for (const [zone, zoneId] of Object.entries(zoneIds)) {
      const stored = snapshots.filter((row) => row.zone_id === zoneId).map((row) => row.multiplier)
      const expected = published.filter((number) => number.zone === zone).map(({ multiplier }) => multiplier)
      expect(stored).toEqual(expected)
    }
    // If the surge multiplier did not change during the afternoon, the comparison of the two simulations would prove
    // nothing.
    expect(new Set(snapshots.map((row) => row.multiplier)).size).toBeGreaterThanOrEqual(5)
  })

  test('a replay of surge through the database publishes each zone once per five-minute slot and the validity periods have no gaps', () => {
    for (const zoneId of Object.values(zoneIds)) {
      const rows = snapshots.filter((row) => row.zone_id === zoneId)
      expect(rows.map((row) => Date.parse(row.slot_at) - midnightMs)).toEqual(
        Array.from({ length: (to - from) / publicationMs }, (_, slot) => from + slot * publicationMs),
      )
      for (const [index, row] of rows.entries()) {
        if (index > 0) expect(rows[index - 1].valid_until).toBe(row.published_at)
      }
    }
  })

  test('a replay of surge publishes factors whose product is the multiplier, and multipliers within the step limits and the maximum', () => {
    let before = { zone_id: '', multiplier: 1 }
    for (const row of snapshots) {
      const product = row.factors.reduce((all: number, { factor }: { factor: number }) => all * factor, 1)
      expect(product.toFixed(2)).toBe(row.multiplier.toFixed(2))
      expect(row.multiplier).toBe(Math.round(row.multiplier * 20) / 20)
      expect(row.multiplier).toBeLessThanOrEqual(row.cap)
      if (row.zone_id !== before.zone_id) before = { zone_id: row.zone_id, multiplier: 1 }
      expect(row.multiplier - before.multiplier).toBeLessThanOrEqual(riseMax + 1e-9)
      if (row.basis === 'observed') expect(before.multiplier - row.multiplier).toBeLessThanOrEqual(fallMax + 1e-9)
      before = row
    }
  })
})

test('on a simulated rainy day, the surge formula loses fewer orders than a fixed price and reverses less often than an unsmoothed ratio', () => {
  const results = [
    fixedPrice(),
    instantRatio(),
    serviceFormula('the formula', surgeRules, [emptyCity, emptyCity, emptyCity, emptyCity], []),
  ].map((rule) => {
    const { shipments, prices } = simulateDay(dayOf(4, true), rule)
    return {
      lost: shipments.filter(({ lostMs }) => lostMs !== undefined).length,
      reversals: [...prices.values()].reduce((sum, of) => sum + reversalsOf(of), 0),
    }
  })
  const [fixed, ratio, formula] = results
  expect(fixed?.lost).toBeGreaterThan(20)
  expect(formula?.lost).toBeLessThan((fixed?.lost ?? 0) / 3)
  expect(formula?.reversals).toBeLessThan((ratio?.reversals ?? 0) / 1.5)
})

function reversalsOf(prices: readonly number[]): number {
  const moves = prices
    .map((price, index) => Math.sign(price - (prices[index - 1] ?? price)))
    .filter((move) => move !== 0)
  return moves.filter((move, index) => index > 0 && move !== moves[index - 1]).length
}
