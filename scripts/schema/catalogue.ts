import { Client } from 'pg'

/**
 * SQL that selects the service's own tables in schema public, without partitions and without Kysely's migration tables.
 */
export const ownTables = `
  select oid, relname as name, reloptions, relacl, relowner
  from pg_class
  where relnamespace = 'public'::regnamespace
    and relkind in ('r', 'p')
    and not relispartition
    and relname not like 'kysely\\_migration%'`

export async function readCatalogue<Result>(
  connectionString: string,
  read: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    // PostgreSQL omits the schema name of objects on the search path, so this connection sets a fixed search path.
    await client.query(`set search_path = public`)
    return await read(client)
  } finally {
    await client.end()
  }
}
