import { sql } from 'kysely'
import { EndpointId, MerchantId } from '../../../registry/values/vocabulary.ts'
import type { Database } from '../core/database.ts'
import { type Listener, type Listening, listen } from '../core/listen.ts'
import { writing } from '../core/statement.ts'
import type { EndpointKey } from './endpoints.ts'

/**
 * NOTIFY of webhook endpoints that have something due, from the process that committed it to the workers. The rows are the
 * truth: a worker that misses a notification finds them with its next pulse.
 */

const channel = 'webhooks_due'

/** A payload ends at 8,000 bytes, and an endpoint's two ids take 62. */
const endpointsPerPayload = 100

const notify = writing<{ payloads: readonly string[] }>()(
  'notify_due_endpoints',
  (p) => sql`select pg_notify(${sql.lit(channel)}, payload) from unnest(${p.payloads}::text[]) as payload`,
)

/**
 * To be called after the commit of the mutation. A NOTIFY inside its transaction would make the commits of all mutations wait
 * for one another; a transaction of nothing but NOTIFY writes no WAL and waits for no disk.
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
  told: Pick<Listener, 'broken' | 'signal'> & { readonly due: (endpoints: readonly EndpointKey[]) => void },
): Promise<Listening> {
  const notified = (payload: string) => told.due(payload.split(' ').flatMap(keysIn))
  return listen(database, { channel, notified, broken: told.broken, signal: told.signal })
}

function textOf({ merchantId, endpointId }: EndpointKey): string {
  return `${merchantId}/${endpointId}`
}

/** None where the text is not that of an endpoint, as another version of this service may write it. */
function keysIn(text: string): readonly EndpointKey[] {
  const [merchant, endpoint] = text.split('/')
  const merchantId = MerchantId.safeParse(merchant)
  const endpointId = EndpointId.safeParse(endpoint)
  return merchantId.success && endpointId.success ? [{ merchantId: merchantId.data, endpointId: endpointId.data }] : []
}
