import { beforeAll, expect, test } from 'vitest'
import { randomCode } from '../../../src/base/ids.ts'
import { silentLog } from '../../../src/base/log.ts'
import { createTasks } from '../../../src/worker/tasks.ts'
import { useApi, vault } from '../../support/api.ts'
import { type ReturnToShip, returnToShip, setPickup } from '../../support/commerce/return-to-ship.ts'
import { eventsOf, select } from '../../support/database-contents.ts'
import { inOrder, openTestShop, pass, post } from '../../support/logistics/parcel-run.ts'
import type { Shop } from '../../support/shop.ts'

/**
 * Returns whose shipments got their final status from a process of an earlier release, which did not support return
 * shipments.
 */

const started = useApi({ sendsCallbacks: true })

let shop: Shop
beforeAll(async () => {
  shop = await openTestShop(started())
  await setPickup(started(), shop)
})

async function runJob(): Promise<void> {
  const { payments, context } = started()
  await createTasks({ ...payments, ...context, wake: () => undefined, log: silentLog, vault }).follow_returns({})
}

async function dispatched({ id: returnId }: ReturnToShip): Promise<string> {
  const body = { reference: randomCode(12), returnId, ...inOrder(['simulator-swift']) }
  const { status, body: shipment, text } = await post(started(), shop, 'dispatch', body)
  expect(status, text).toBe(201)
  return shipment.id
}

/** Moves a shipment but not its return, as a process of the release without return shipments does. */
async function moveAlone(id: string, status: 'delivered' | 'lost'): Promise<void> {
  await select(
    started(),
    `update shipments
     set status = $2, version = version + 1, next_check_at = null, courier = null,
       ended_at = $3, delivered_at = case when $2 = 'delivered' then $3::timestamptz end
     where id = $1`,
    [id, status, new Date(started().clock.nowMs())],
  )
}

/** Returns, for each notification that the parcel of a return arrived, whether the notification is open. */
const arrivalsOf = async (returnId: string) =>
  (
    await select(
      started(),
      `select resolved_at is null as "isOpen" from notifications
       where kind = 'return.arrived' and data ->> 'returnId' = $1`,
      [returnId],
    )
  ).map(({ isOpen }) => isOpen)

const movesOf = async (returnId: string) =>
  (await eventsOf(started(), shop.merchantId, 'return.status_changed'))
    .filter(({ data }) => data.return.id === returnId)
    .map(({ data }) => [data.from, data.to])

test('if a process of the previous release recorded a return’s parcel as delivered, a job sets the return to in_transit and reports the arrival of the parcel once', async () => {
  const found = await returnToShip(started(), shop)
  await moveAlone(await dispatched(found), 'delivered')
  expect(await found.read()).toMatchObject({ status: 'approved', shipments: [{ status: 'delivered' }] })
  await runJob()
  const followed = await found.read()
  expect(followed).toMatchObject({ status: 'in_transit', allowedTransitions: ['received', 'closed'] })
  expect(await arrivalsOf(found.id)).toEqual([true])
  expect(await movesOf(found.id)).toContainEqual(['approved', 'in_transit'])
  const audited = await select(
    started(),
    "select actor_type, resource_type from audit_log where action = 'return.follow' and resource_id = $1",
    [found.id],
  )
  expect(audited).toEqual([{ actor_type: 'system', resource_type: 'return' }])
  await runJob()
  expect(await found.read()).toEqual(followed)
  expect(await arrivalsOf(found.id)).toEqual([true])
})

test('if an earlier release recorded the parcel of a return as lost, the job that updates the status of returns sets the return to in_transit and reports no arrival', async () => {
  const found = await returnToShip(started(), shop)
  await moveAlone(await dispatched(found), 'lost')
  await runJob()
  expect(await found.read()).toMatchObject({ status: 'in_transit', shipments: [{ status: 'lost' }] })
  expect(await arrivalsOf(found.id)).toEqual([])
  const { version } = await found.read()
  await runJob()
  expect(await found.read()).toMatchObject({ version })
})

test('the arrival of a return in transit is reported once, and not again after a member has resolved the notification', async () => {
  const found = await returnToShip(started(), shop)
  const id = await dispatched(found)
  expect((await found.move('in_transit')).status).toBe(409)
  await select(started(), "update returns set status = 'in_transit' where id = $1", [found.id])
  await moveAlone(id, 'delivered')
  await runJob()
  expect(await arrivalsOf(found.id)).toEqual([true])
  await select(started(), "update notifications set resolved_at = now() where data ->> 'returnId' = $1", [found.id])
  await runJob()
  expect(await arrivalsOf(found.id)).toEqual([false])
})

test('the job that updates the status of returns does not change a return that already matches its shipment, or a return that has ended', async () => {
  const api = started()
  const followed = await returnToShip(api, shop)
  await dispatched(followed)
  await pass(api, 600)
  const underWay = await returnToShip(api, shop)
  await dispatched(underWay)
  const ended = await returnToShip(api, shop)
  const endedShipment = await dispatched(ended)
  expect((await ended.receive()).status).toBe(200)
  await moveAlone(endedShipment, 'delivered')
  const all = [followed, underWay, ended]
  const before = await Promise.all(all.map((each) => each.read()))
  expect(before.map(({ status }) => status)).toEqual(['in_transit', 'approved', 'received'])
  await runJob()
  expect(await Promise.all(all.map((each) => each.read()))).toEqual(before)
  expect(await arrivalsOf(followed.id)).toEqual([true])
})
