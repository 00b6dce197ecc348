import pg from 'pg'
import { z } from 'zod'
import type { TestApi } from './api.ts'

/** Reads the database directly, to check what the service stored and not only what it responded. */

export async function select(
  api: Pick<TestApi, 'database'>,
  text: string,
  values: readonly unknown[] = [],
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts what it reads, and an assertion on a missing column fails.
): Promise<any[]> {
  return (await api.database.pool.query(text, [...values])).rows
}

const row = z.object({ name: z.string(), content: z.string() })

/**
 * Returns a fingerprint of the rows of every table. If two results are equal, nothing was written in between. A write
 * gives its rows the number of its transaction, which is higher than the numbers of all earlier rows. The fingerprint
 * contains the number of rows and the sum of these numbers, so a write changes it. The last use of a token is omitted,
 * because the service records it outside of the request's transaction.
 */
export async function contentsOf(api: TestApi): Promise<Record<string, string>> {
  const tables = await select(
    api,
    `select quote_ident(relname) as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by relname`,
  )
  const fingerprints = tables.map(
    ({ name }) => `
      select '${name}' as name, count(*) || ' ' || coalesce(sum(${name === 'api_tokens' ? contentOfToken : 'xmin::text::numeric'}), 0) as content
      from ${name} as row`,
  )
  // The table fingerprints are read with several statements, because PostgreSQL would start parallel workers for a
  // union of them.
  const results = await Promise.resolve<unknown>(api.database.pool.query(fingerprints.join(';')))
  const rows = z.array(z.object({ rows: z.tuple([row]) })).parse(results)
  return Object.fromEntries(rows.map(({ rows: [{ name, content }] }) => [name, content]))
}

const contentOfToken = `hashtextextended((to_jsonb(row) - 'last_used_at' - 'last_used_ip')::text, 0)::numeric`

export interface AuditRow {
  readonly action: string
  readonly resource_type: string
  readonly resource_id: string
  readonly actor_type: string
  readonly actor_id: string | null
  readonly source_ip: string | null
  readonly request_id: string | null
  readonly changes: object
}

/** Returns the audit rows that requests have written, without the rows of the operator who created the merchant. */
export async function auditRows(api: TestApi, merchantId: string): Promise<AuditRow[]> {
  return select(
    api,
    `select action, resource_type, resource_id, actor_type, actor_id, host(source_ip) as source_ip, request_id, changes
     from audit_log where merchant_id = $1 and request_id is not null order by id`,
    [merchantId],
  )
}

/** Returns the events of a merchant with parsed bodies, oldest first. */
export async function eventsOf(
  api: TestApi,
  merchantId: string,
  kind: string,
  // biome-ignore lint/suspicious/noExplicitAny: as above.
): Promise<any[]> {
  const rows = await select(
    api,
    'select body from webhook_events where merchant_id = $1 and kind = $2 order by created_at, id',
    [merchantId, kind],
  )
  return rows.map(({ body }) => JSON.parse(body))
}

/** Connects to the test's database as a superuser, for SQL statements that the service's own role must not run. */
export async function asSuperuser(api: TestApi, run: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: api.superuserConnectionString })
  await client.connect()
  try {
    await run(client)
  } finally {
    await client.end()
  }
}
