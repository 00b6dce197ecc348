import { expect, onTestFinished, test } from 'vitest'
import { type Log, silentLog } from '../../../src/base/log.ts'
import { listenForDueEndpoints } from '../../../src/store/webhooks/due-endpoints.ts'
import type { EndpointKey } from '../../../src/store/webhooks/endpoints.ts'
import { openDueListener } from '../../../src/worker/due-listener.ts'
import { createDueNotifier } from '../../../src/worker/due-notifier.ts'
import { asOwner, useDatabase } from '../../support/database.ts'
import { openShop } from '../shop.ts'

/** After the commit of an event, the workers in other processes are notified of its webhook deliveries. */

const opened = useDatabase()

/**
 * Opens a listener for notifications of due deliveries, as a worker in another process does. Returns the recorded
 * wake-ups, one entry for each notification.
 */
async function listening(log: Log = silentLog) {
  const woken: (readonly string[])[] = []
  const wake = (endpoints: readonly EndpointKey[]) => woken.push(endpoints.map(({ endpointId }) => endpointId))
  const listener = await openDueListener({
    database: opened().database,
    log,
    wake,
    sweepDeliveries: async () => undefined,
  })
  onTestFinished(() => listener.close())
  return woken
}

/** Opens a shop whose mutations notify workers of due deliveries, as in a process without a worker. */
async function openNotifyingShop() {
  const { database } = opened()
  const nudger = createDueNotifier(database, silentLog)
  const shop = await openShop(database, { nudge: nudger.nudge })
  const endpoint = await shop.addEndpoint('http://127.0.0.1:1/')
  return { ...shop, nudger, endpoint }
}

test('the commit of a new webhook delivery notifies a worker in another process directly, without a job', async () => {
  const { emit, endpoint } = await openNotifyingShop()
  const woken = await listening()
  await emit()
  await expect.poll(() => woken).toEqual([[endpoint.endpointId]])
  expect((await opened().database.pool.query('select from graphile_worker.jobs')).rowCount).toBe(0)
})

test('a rolled-back transaction does not notify the webhook delivery workers', async () => {
  const { emit, nudger, merchantId, endpoint } = await openNotifyingShop()
  const woken = await listening()
  await asOwner(
    opened(),
    `create function fail() returns trigger language plpgsql as 'begin raise exception ''no''; end'`,
  )
  await asOwner(opened(), 'create trigger fail before insert on audit_log for each row execute function fail()')
  onTestFinished(() => asOwner(opened(), 'drop function fail cascade'))
  await expect(emit()).rejects.toThrow('no')
  // Notifications arrive in the order of their commits. A notification of the rolled-back event would therefore arrive
  // before the notification that this nudge sends.
  nudger.nudge(merchantId, [endpoint.endpointId])
  await expect.poll(() => woken).toEqual([[endpoint.endpointId]])
})

test('a hundred mutations in quick succession send only two notifications to the delivery workers, the first of them at once', async () => {
  const { nudger, merchantId, endpoint, addEndpoint } = await openNotifyingShop()
  const other = await addEndpoint('http://127.0.0.1:1/')
  const woken = await listening()
  for (let count = 0; count < 100; count++) nudger.nudge(merchantId, [endpoint.endpointId, other.endpointId])
  await nudger.flush()
  const both = [endpoint.endpointId, other.endpointId]
  await expect.poll(() => woken).toEqual([both, both])
})

test('delivery workers are notified of all webhook endpoints that a mutation affects, even if the ids do not fit into one notification', async () => {
  const { nudger, merchantId, endpoint } = await openNotifyingShop()
  const woken = await listening()
  const many = Array.from({ length: 1_000 }, (_, index) => {
    return endpoint.endpointId.slice(0, -4).concat(String(index).padStart(4, '0')) as typeof endpoint.endpointId
  })
  nudger.nudge(merchantId, many)
  await expect.poll(() => woken.flat().length).toBe(many.length)
  expect(new Set(woken.flat())).toEqual(new Set(many))
})

test('a worker logs a lost LISTEN connection once, reconnects and continues', async () => {
  const { nudger, merchantId, endpoint } = await openNotifyingShop()
  const lines: string[] = []
  const log = silentLog.child({})
  const note = (_: unknown, line?: string) => lines.push(line ?? '')
  Object.assign(log, { warn: note, error: note })
  const woken = await listening(log)
  const { pool } = opened().database
  const listeners = `from pg_stat_activity where datname = current_database() and query = 'listen webhooks_due'`
  const { rows } = await pool.query(`select pid, pg_terminate_backend(pid) ${listeners}`)
  expect(rows).toHaveLength(1)
  await expect.poll(async () => (await pool.query(`select ${listeners} and pid <> $1`, [rows[0].pid])).rowCount).toBe(1)
  nudger.nudge(merchantId, [endpoint.endpointId])
  await expect.poll(() => woken.flat()).toEqual([endpoint.endpointId])
  expect(lines).toEqual(['Recurring work failed. It is repeated until it succeeds.', 'Recurring work succeeds again.'])
})

test('a delivery worker ignores an invalid notification and handles the notifications after it', async () => {
  const { nudger, merchantId, endpoint } = await openNotifyingShop()
  const due: EndpointKey[] = []
  const heard = await listenForDueEndpoints(opened().database, {
    due: (endpoints) => due.push(...endpoints),
    broken: () => undefined,
  })
  onTestFinished(() => heard.close())
  await opened().database.pool.query(`select pg_notify('webhooks_due', 'nonsense'), pg_notify('webhooks_due', '')`)
  nudger.nudge(merchantId, [endpoint.endpointId])
  await expect.poll(() => due).toEqual([{ merchantId, endpointId: endpoint.endpointId }])
})
