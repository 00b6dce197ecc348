import type { TestApi } from './api.ts'
import { select } from './database-contents.ts'

/** Returns every row of every table as text, including the tables of the job queue. */
export async function dumpOf(api: Pick<TestApi, 'database'>): Promise<string> {
  const tables = await select(
    api,
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  )
  const texts = tables.map(({ name }) => `select '${name} ' || to_jsonb(row)::text as text from ${name} as row`)
  const rows = await select(api, texts.join(' union all '))
  return rows.map(({ text }) => text).join('\n')
}
