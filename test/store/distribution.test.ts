import { expect, test } from 'vitest'
import { ownTables } from '../../scripts/schema/catalogue.ts'
import { distribution } from '../../src/store/tables/distribution.ts'
import { useDatabase } from '../support/database.ts'

const opened = useDatabase()

const classes = new Map<string, readonly [string, string?]>(Object.entries(distribution))

interface OwnTable {
  readonly name: string
  readonly hasMerchant: boolean
}

async function listTables(): Promise<readonly OwnTable[]> {
  const { rows } = await opened().database.pool.query<OwnTable>(`
    select name, exists (select from pg_attribute where attrelid = oid and attname = 'merchant_id') as "hasMerchant"
    from (${ownTables}) as own
    order by name`)
  return rows
}

test('every table of the migrated database is classified as distributed, as a reference table or as local to the coordinator', async () => {
  expect((await listTables()).map(({ name }) => name)).toEqual([...classes.keys()].sort())
})

test('every table with the column merchant_id is distributed, or the classification states the reason why it is not', async () => {
  const offenders = (await listTables()).filter(({ name, hasMerchant }) => {
    const [is, reason] = classes.get(name) ?? []
    return hasMerchant ? is !== 'distributed' && reason === undefined : is === 'distributed'
  })
  expect(offenders).toEqual([])
})

interface ForeignKey {
  readonly name: string
  readonly from: string
  readonly to: string
  readonly setsNull: boolean
}

async function listForeignKeys(): Promise<readonly ForeignKey[]> {
  const { rows } = await opened().database.pool.query<ForeignKey>(`
    select conname as name, own.name as from, referenced.name as to, confdeltype in ('n', 'd') as "setsNull"
    from pg_constraint
    join (${ownTables}) as own on own.oid = conrelid
    join (${ownTables}) as referenced on referenced.oid = confrelid
    where contype = 'f'`)
  return rows
}

const classOf = (table: string) => classes.get(table)?.[0]

test('every foreign key refers to a reference table or to a table that is distributed in the same way', async () => {
  const keys = await listForeignKeys()
  expect(keys.length).toBeGreaterThan(50)
  expect(keys.filter(({ from, to }) => classOf(to) !== 'reference' && classOf(to) !== classOf(from))).toEqual([])
})

test('no foreign key of a distributed table sets a column when the referenced row is deleted', async () => {
  const keys = await listForeignKeys()
  expect(keys.filter(({ from, setsNull }) => classOf(from) === 'distributed' && setsNull)).toEqual([])
})

test('no trigger uses a transition table, which a distributed database does not support', async () => {
  const { rows } = await opened().database.pool.query(`
    select own.name as table, tgname as trigger
    from pg_trigger
    join (${ownTables}) as own on own.oid = tgrelid
    where tgoldtable is not null or tgnewtable is not null`)
  expect(rows).toEqual([])
})
