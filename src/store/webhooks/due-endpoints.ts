import { sql } from 'kysely'
import { EndpointId, MerchantId } from '../../../registry/values/vocabulary.ts'
import type { Database } from '../core/database.ts'
import { writing } from '../core/statement.ts'
import { type Listener, type Listening, listen } from '../server/listen.ts'
import type { EndpointKey } from './endpoints.ts'

/**
 * Notifies workers (NOTIFY) of webhook endpoints with due deliveries, after the commit that queued the deliveries. This
 * is only an optimisation: a worker that misses a notification finds the deliveries with its next sweep.
 */

const channel = 'webhooks_due'

/**
 * Maximum number of endpoints per notification. A payload is limited to 8,000 bytes, and an endpoint takes 62 bytes.
 */
const endpointsPerPayload = 100

const notify = writing<{ payloads: readonly string[] }>()(
  'notify_due_endpoints',
  (p) => sql`select pg_notify(${sql.lit(channel)}, payload) from unnest(${p.payloads}::text[]) as payload`,
)

/**
 * Notifies the workers of endpoints with due deliveries. Must be called after the commit of the mutation that queued
 * the deliveries: NOTIFY inside the transaction of a mutation would serialise the commits of all mutations. A
 * transaction with only NOTIFY writes no WAL and does not wait for the disk.
 */
export async function notifyDueEndpoints(database: Database, endpoints: readonly EndpointKey[]): Promise<void> {
  const payloads: string[] = []
  for (let start = 0; start < endpoints.length; start += endpointsPerPayload) {
    payloads.push(
      endpoints
        .slice(start, start + endpointsPerPayload)
        .map(textOf)
        .join(' '),
    )
  }
  if (payloads.length > 0) await database.run(notify, { payloads })
}

export function listenForDueEndpoints(
  database: Database,
  listener: Pick<Listener, 'broken' | 'signal'> & { readonly due: (endpoints: readonly EndpointKey[]) => void },
): Promise<Listening> {
  const notified = (payload: string) => listener.due(payload.split(' ').flatMap(keysIn))
  return listen(database, { channel, notified, broken: listener.broken, signal: listener.signal })
}

function textOf({ merchantId, endpointId }: EndpointKey): string {
  return `${merchantId}/${endpointId}`
}

/**
 * Returns the endpoints in a notification; none for an unknown format, which another version of this service may send.
 */
function keysIn(text: string): readonly EndpointKey[] {
  const [merchant, endpoint] = text.split('/')
  const merchantId = MerchantId.safeParse(merchant)
  const endpointId = EndpointId.safeParse(endpoint)
  return merchantId.success && endpointId.success ? [{ merchantId: merchantId.data, endpointId: endpointId.data }] : []
}
