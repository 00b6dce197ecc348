import { Client } from 'pg'

/** Our own tables: what the service's migrations made in schema public. Kysely's bookkeeping is beside them. */
export const ownTables = `
  select oid, relname as name, reloptions, relacl, relowner
  from pg_class
  where relnamespace = 'public'::regnamespace
    and relkind in ('r', 'p')
    and not relispartition
    and relname not like 'kysely\\_migration%'`

/** Runs a read of the catalogue on its own connection. */
export async function readCatalogue<Result>(
  connectionString: string,
  read: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    // PostgreSQL leaves out the schema of what it finds on this path, so the text depends on it.
    await client.query(`set search_path = public`)
    return await read(client)
  } finally {
    await client.end()
  }
}
