import { beforeAll, beforeEach, expect, test } from 'vitest'
import { openBreakers } from '../../src/logistics/breakers.ts'
import { lookAtShipments } from '../../src/logistics/shipment/look-at-shipment.ts'
import type { Carrier, CarrierCode } from '../../src/partners/carriers/carrier.ts'
import { useApi } from '../support/api.ts'
import { select } from '../support/contents.ts'
import {
  attemptsOf,
  inOrder,
  openTestShop,
  parcelTo,
  pass,
  plainPhone,
  post,
  ridersOf,
  soundShipment,
} from '../support/parcel-run.ts'
import type { Shop } from '../support/shop.ts'

/** Who holds a shipment for how long: no two do the same at once, and nobody waits longer than was said. */

const started = useApi()

let shop: Shop
const real = new Map<CarrierCode, Carrier>()
beforeAll(async () => {
  shop = await openTestShop(started())
  for (const [code, carrier] of started().logistics.carriers) real.set(code, carrier)
})

/** The companies, of which one does something else for this test. */
function play(code?: CarrierCode, more: (carrier: Carrier) => Partial<Carrier> = () => ({})): void {
  const carriers = new Map(real)
  const carrier = code && carriers.get(code)
  if (carrier !== undefined) carriers.set(carrier.code, { ...carrier, ...more(carrier) })
  Object.assign(started().logistics, { carriers, breakers: openBreakers(), reach: undefined })
}
beforeEach(() => play())

const late = { is: 'unknown', cause: 'timeout', message: 'Late.' } as const
const swiftFirst = ['simulator-swift', 'simulator-steady', 'simulator-saver'] as const
const dispatch = (more: object, phone = plainPhone) => post(started(), shop, 'dispatch', parcelTo(phone, more))

test('while the first look at an unknown outcome is taken, no worker takes another', async () => {
  let asked = 0
  play('simulator-swift', ({ create }) => ({
    create: async (...args) => {
      asked += 1
      const answer = await create(...args)
      if (asked === 1) return late
      // As long as a worker used to keep away for, and shorter than a look may take.
      started().clock.advance(5_001)
      await lookAtShipments(started().logistics)
      return answer
    },
  }))
  const { status, body } = await dispatch(inOrder(swiftFirst))
  expect([status, attemptsOf(body), asked]).toEqual([201, [['swift', 'accepted', 'accepted']], 2])
})

test('whoever made a shipment asks for it before any worker does', async () => {
  const waits: number[] = []
  Object.assign(started().logistics, {
    reach: async (action: string, moment: string) => {
      if (action !== 'shipment.ask_carrier' || moment !== 'written') return
      const rows = await select(
        started(),
        `select next_look_at as next from shipments where merchant_id = $1 and status = 'dispatching'`,
        [shop.merchantId],
      )
      waits.push(...rows.map(({ next }) => Date.parse(next) - started().clock.nowMs()))
    },
  })
  expect((await dispatch(inOrder(swiftFirst))).status).toBe(201)
  expect(waits).toEqual([30_000])
})

test('a request asks nobody whom it has no time to wait for; a worker does at once', async () => {
  play('simulator-swift', () => ({
    create: async () => {
      started().clock.advance(24_999)
      return { is: 'refused', code: 'couriers_busy', message: 'No rider.' }
    },
  }))
  const { status, body } = await dispatch(inOrder(swiftFirst))
  expect([status, attemptsOf(body)]).toEqual([202, [['swift', 'refused', 'couriers_busy']]])
  await lookAtShipments(started().logistics)
  const found = await soundShipment(started(), shop, body.id)
  expect(attemptsOf(found)[1]).toEqual(['steady', 'accepted', 'accepted'])
})

test('an order that turns up waits while nobody knows whether the newer one was called off', async () => {
  play('simulator-steady', () => ({ cancel: async () => late }))
  const { body } = await dispatch(inOrder(swiftFirst, { assignTimeoutSeconds: 3600 }), '+2348035550970')
  await pass(started(), 60)
  await pass(started(), 130, 130)
  expect((await ridersOf(started(), body.id)).toSorted()).toEqual(['steady', 'swift'])
  play()
  await pass(started(), 120, 10)
  // Whichever is further along by now stays.
  const found = await soundShipment(started(), shop, body.id)
  expect(await ridersOf(started(), body.id)).toHaveLength(1)
  const superseded = found.attempts.map((attempt: { superseded: boolean }) => attempt.superseded)
  expect(superseded.toSorted()).toEqual([false, true])
  const ids = found.attempts.map(({ id }: { id: string }) => id)
  expect(new Set(ids).size).toBe(2)
  expect(ids.join()).toMatch(/^att_[0-9a-z]{26},att_[0-9a-z]{26}$/)
})
