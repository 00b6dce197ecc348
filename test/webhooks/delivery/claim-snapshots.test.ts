import { describe, expect, test } from 'vitest'
import { sendTestEvent } from '../../../src/access/send-test-event.ts'
import { claimDeliveries } from '../../../src/store/webhooks/delivery-claims.ts'
import { listDueEndpoints } from '../../../src/store/webhooks/delivery-sweeps.ts'
import { useDatabase } from '../../support/database.ts'
import { untilWaiting, whileLocked } from '../../support/database-locks.ts'
import { openReceiver } from '../receiver.ts'
import { openShop, operator } from '../shop.ts'

/**
 * Each statement of a claim has its own snapshot. A lock on a table stops the claim between two of its statements, and
 * the status of the endpoint changes meanwhile.
 */

const opened = useDatabase()

async function setStatus(endpointId: string, status: 'enabled' | 'disabled'): Promise<void> {
  await opened().database.pool.query(
    `update webhook_endpoints
     set
       status = $2,
       disabled_reason = case when $2 = 'disabled' then 'manual' end,
       disabled_at = case when $2 = 'disabled' then now() end
     where id = $1`,
    [endpointId, status],
  )
}

const changes = [
  ['enabled', 'disabled'],
  ['disabled', 'enabled'],
] as const

describe.for([
  'webhook_leases',
  'webhook_deliveries',
  'webhook_secrets',
])('while a claim waits before it reads %s', (table) => {
  test.for(
    changes,
  )('if the endpoint changes from %s to %s meanwhile, the claim misses no due delivery, and every leased delivery is sent', async ([
    from,
    to,
  ]) => {
    const { database } = opened()
    const shop = await openShop(database)
    const { merchantId, endpointId } = await shop.addEndpoint((await openReceiver()).url)
    await shop.emit()
    await sendTestEvent(shop.context, operator, shop.tenant, { endpointId, kind: 'inventory.low_stock' })
    await setStatus(endpointId, from)
    const { lanes, busy } = await whileLocked(
      opened(),
      { text: `lock table ${table} in access exclusive mode` },
      async (holder) => {
        const claiming = claimDeliveries(database, {
          ...{ lanes: [{ merchantId, endpointId }], workerId: shop.pumpContext.workerId, now: shop.now() },
          ...{ room: 9, merchantCap: 9, endpointCap: 4 },
        })
        await untilWaiting(opened(), 1)
        await setStatus(endpointId, to)
        await holder.query('commit')
        return claiming
      },
    )
    const { rows } = await database.pool.query<{ id: string }>(
      'select unnest(delivery_ids) as id from webhook_leases where merchant_id = $1 order by 1',
      [merchantId],
    )
    const claimed = lanes.flatMap(({ deliveries }) => deliveries.map(({ id }) => id))
    expect(rows.map(({ id }) => id)).toEqual(claimed.toSorted())
    const due = await listDueEndpoints(database, shop.now())
    const missed = due.filter((endpoint) => endpoint.endpointId === endpointId)
    expect(busy.map((endpoint) => endpoint.endpointId)).toEqual(missed.map((endpoint) => endpoint.endpointId))
  })
})
