import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { ownTables, readCatalogue } from '../../scripts/schema/catalogue.ts'
import { columnOf, fieldOf } from '../../src/store/core/names.ts'
import { reading } from '../../src/store/core/statement.ts'
import { useDatabase } from '../support/database.ts'

const opened = useDatabase()

test('every column of the schema has the same name after its name was mapped to a field and back', async () => {
  const names = await readCatalogue(opened().connectionString, async (client) => {
    const { rows } = await client.query<{ name: string }>(`
      select distinct attname as name
      from pg_attribute
      join (${ownTables}) own on own.oid = attrelid
      where attnum > 0 and not attisdropped`)
    return rows.map(({ name }) => name)
  })
  expect(names).toContain('payment_id')
  expect(names.map((name) => columnOf(fieldOf(name)))).toEqual(names)
  const columns = reading<object>()(
    'every_column',
    () => sql`select ${sql.join(names.map((name) => sql.ref(fieldOf(name))))} from everything`,
  )
  expect(columns.text).toBe(`select ${names.map((name) => `"${name}"`).join(', ')} from everything`)
})

test('the fields of a row are named in camelCase, and the keys of a JSON document are not changed', async () => {
  const statement = reading<object>()(
    'one_row',
    () => sql<object>`select 1 as payment_id, 2 as "orderId", '{"payment_id": {"order_id": 3}}'::jsonb as meta_data`,
  )
  const run = () => opened().database.read(statement, {})
  const row = { paymentId: 1, orderId: 2, metaData: { payment_id: { order_id: 3 } } }
  expect(await run()).toEqual([row])
  expect(await run()).toEqual([row])
})
