import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { isShipmentOver, mayShipmentMove, type ShipmentStatus } from '../../../registry/logistics/shipment-states.ts'
import { toTimestamp } from '../../../src/base/clock.ts'
import { useApi } from '../../support/api.ts'
import { asOwner } from '../../support/database.ts'
import { eventsOf } from '../../support/database-contents.ts'
import { readShipment, storeShipment } from '../../support/logistics/shipment.ts'
import { applyUpdate } from '../../support/logistics/tracking-updates.ts'
import { openShop, type Shop } from '../../support/shop.ts'

/**
 * Random tracking updates, compared with a model: the table of statuses, the carrier’s clock and the progress of a
 * parcel.
 */

const started = useApi()

let shop: Shop
beforeAll(async () => {
  shop = await openShop(started().context)
})

const reportable: readonly ShipmentStatus[] = [
  'awaiting_courier',
  'courier_assigned',
  'at_pickup',
  'picked_up',
  'in_transit',
  'at_dropoff',
  'delivery_failed',
  'returning',
  'delivered',
  'returned',
  'lost',
]

interface Update {
  readonly status: ShipmentStatus
  readonly minutes: number
}

/**
 * Returns how far a shipment has progressed in a status, as a number. The three final statuses have the same number.
 */
function rankOf(status: ShipmentStatus): number {
  return Math.min(reportable.indexOf(status), reportable.indexOf('delivered'))
}

interface Model {
  status: ShipmentStatus
  /** `last` is the tracking update that was applied last. `furthest` is the furthest progress in any update. */
  last: Update | undefined
  furthest: number
  readonly recorded: Update[]
}

type Expected = 'moved' | 'late' | 'unchanged' | 'noted'

function expected(model: Model, update: Update): Expected {
  const isKnown = model.recorded.some((before) => before.status === update.status && before.minutes === update.minutes)
  const isLatestStatus = model.recorded.at(-1)?.status === update.status
  if (update.status === model.status) {
    const isRepeated = (isKnown || isLatestStatus) && !isAnotherFailure(model, update)
    return isRepeated || isShipmentOver(model.status) ? 'unchanged' : 'noted'
  }
  const { last } = model
  const isLater =
    last === undefined ||
    update.minutes > last.minutes ||
    (update.minutes === last.minutes && rankOf(update.status) > rankOf(last.status))
  const isNew = isLater || rankOf(update.status) > model.furthest
  if (isNew && mayShipmentMove(model.status, update.status)) return 'moved'
  return isKnown || isLatestStatus ? 'unchanged' : 'late'
}

/** Reports whether the update is a failed delivery whose time is later than that of every recorded failed delivery. */
function isAnotherFailure({ recorded }: Model, { status, minutes }: Update): boolean {
  const failures = recorded.filter((before) => before.status === 'delivery_failed')
  return status === 'delivery_failed' && failures.every((before) => minutes > before.minutes)
}

function record(model: Model, update: Update, is: Expected): void {
  if (is !== 'unchanged') model.recorded.push(update)
  if (is !== 'moved' && is !== 'noted') return
  model.status = update.status
  if (model.last === undefined || update.minutes >= model.last.minutes) model.last = update
  model.furthest = Math.max(model.furthest, rankOf(update.status))
}

const update = fc.record({ status: fc.constantFrom(...reportable), minutes: fc.integer({ min: 0, max: 12 }) })

test('random tracking updates are applied, stored or ignored as in the reference model, with one event per status change', async () => {
  const api = started()
  const startMs = api.clock.nowMs() - 60 * 60_000
  await fc.assert(
    fc.asyncProperty(fc.array(update, { minLength: 1, maxLength: 14 }), async (history) => {
      const key = await storeShipment(api, shop)
      const model: Model = { status: 'awaiting_courier', last: undefined, furthest: -1, recorded: [] }
      const moves: string[] = []
      for (const one of history) {
        const from = model.status
        const is = expected(model, one)
        const at = toTimestamp(startMs + one.minutes * 60_000)
        const outcome = await applyUpdate(api, shop, key, { status: one.status, at })
        expect({ one, is: outcome.is === 'riders_dropped' ? 'moved' : outcome.is }).toEqual({ one, is })
        record(model, one, is)
        if (is === 'moved') moves.push(`${from} ${model.status}`)
      }
      const { shipment, events } = await readShipment(api, key)
      expect(shipment.status).toBe(model.status)
      expect(events.length).toBe(model.recorded.length)
      expect(shipment.version).toBe(1 + events.length)
      const changes = await eventsOf(api, shop.merchantId, 'shipment.status_changed')
      const mine = changes
        .filter(({ data }) => data.shipmentId === key.id)
        .sort((a, b) => a.data.version - b.data.version)
      expect(mine.map(({ data }) => `${data.from} ${data.to}`)).toEqual(moves)
      await asOwner(api, 'truncate webhook_events cascade')
    }),
    { numRuns: 60 },
  )
})

const journey = ['courier_assigned', 'at_pickup', 'picked_up', 'in_transit', 'at_dropoff', 'delivered'] as const

test('after the tracking updates of a delivery were applied in any sequence, each of them twice, the shipment has the status delivered', async () => {
  const api = started()
  const startMs = api.clock.nowMs() - 60 * 60_000
  const twice = [...journey, ...journey].map((status) => ({ status, minutes: journey.indexOf(status) }))
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(twice, { minLength: twice.length }), async (history) => {
      const key = await storeShipment(api, shop)
      for (const { status, minutes } of history) {
        await applyUpdate(api, shop, key, { status, at: toTimestamp(startMs + minutes * 60_000) })
      }
      const { shipment, events } = await readShipment(api, key)
      expect(shipment).toMatchObject({ status: 'delivered', deliveredAt: toTimestamp(startMs + 5 * 60_000) })
      // Each tracking update is stored once, whether or not it was applied.
      expect(events.map(({ status }) => status).toSorted()).toEqual([...journey].toSorted())
    }),
    { numRuns: 40 },
  )
})
