import { loadModule } from 'libpg-query'
import { beforeAll, expect, test, vi } from 'vitest'
import { exceptions, finds } from '../../scripts/tenancy/exceptions.ts'
import { type Tables, tenantRelations } from '../../scripts/tenancy/relations.ts'
import { merchantArguments, type StoreStatement } from '../../scripts/tenancy/store-statements.ts'
import { useDatabase } from '../support/database.ts'

/**
 * On a distributed database, all rows of a merchant are on one node. A statement of one merchant uses only this node if
 * its SQL names the merchant for each table. A search over many merchants uses only nodes that respond if its SQL names
 * the reachable merchants for each table. The check parses the SQL of every statement.
 */

const opened = useDatabase()

let tables: Tables
let statements: readonly StoreStatement[]

beforeAll(async () => {
  await loadModule()
  // Loads the modules of the store again, because other test files of the same process may have declared additional
  // statements.
  vi.resetModules()
  const { readTables, storeStatements } = await import('../../scripts/tenancy/store-statements.ts')
  tables = await readTables(opened().connectionString)
  statements = await storeStatements()
})

/** Returns the reasons why a statement may need nodes other than that of its merchant. Empty if there are none. */
function problemsOf(statement: Pick<StoreStatement, 'text' | 'parameters'>): readonly string[] {
  const { relations, movedTables, computedConflicts } = tenantRelations(statement, tables)
  const unbound = relations.filter(({ merchant }) => merchant === undefined || !merchantArguments.includes(merchant))
  const merchants = new Set(relations.flatMap(({ merchant }) => merchant ?? []))
  return [
    ...new Set(unbound.map(({ table }) => `${table} is not bound to a merchant`)),
    ...(merchants.size > 1 ? [`the tables are bound to several arguments: ${[...merchants].join(', ')}`] : []),
    ...movedTables.map((table) => `${table} changes its merchant`),
    ...computedConflicts.map((table) => `${table} handles a conflict by a function or a subquery`),
  ]
}

/** The name of the search argument that contains the ids of the reachable merchants. */
const reachable = 'reachable'

/**
 * Returns the reasons why a search among the reachable merchants may need nodes that do not store the reachable
 * merchants. Empty if the search needs no other nodes.
 */
function problemsOfSearch({ text, parameters }: Pick<StoreStatement, 'text' | 'parameters'>): readonly string[] {
  // This check treats the condition `merchant_id = any($1)` with the reachable merchants like `merchant_id = $1`: both
  // restrict the table to given merchants.
  const bound = text.replaceAll(/= any\((\$\d+)\)/g, (condition, parameter: string) =>
    parameters[Number(parameter.slice(1)) - 1] === reachable ? `= ${parameter}` : condition,
  )
  const { relations } = tenantRelations({ text: bound, parameters }, tables)
  const unrestricted = relations.filter(({ merchant, hasCondition }) => merchant !== reachable || !hasCondition)
  return [...new Set(unrestricted.map(({ table }) => `${table} is not restricted to the reachable merchants`))]
}

function isAmongReachable({ effect, parameters }: StoreStatement): boolean {
  return effect === 'searches' && parameters.includes(reachable)
}

test('every SQL statement of the store is bound to one merchant, except the statements in the list of exceptions', () => {
  const violations = statements.flatMap((statement) =>
    exceptions.has(statement.label) || statement.effect === 'searches'
      ? []
      : problemsOf(statement).map((problem) => `${statement.label}: ${problem}`),
  )
  expect(violations).toEqual([])
})

test('every search among the reachable merchants restricts each of its tables to these merchants', () => {
  const violations = statements
    .filter(isAmongReachable)
    .flatMap((search) => problemsOfSearch(search).map((problem) => `${search.label}: ${problem}`))
  expect(violations).toEqual([])
})

test('every SQL search over all merchants has a variant that is restricted to the merchants on reachable database nodes', () => {
  const searches = statements.filter(({ effect }) => effect === 'searches')
  const restricted = searches.filter(isAmongReachable).map(({ label }) => label)
  const all = searches.filter((search) => !isAmongReachable(search))
  expect(restricted.toSorted()).toEqual(all.map(({ label }) => `${label}_reachable`).toSorted())
})

test('the list of exceptions of the tenancy check contains only statements that are not bound to one merchant', () => {
  const unbound = statements.filter((statement) => problemsOf(statement).length > 0).map(({ label }) => label)
  expect([...exceptions].filter((label) => !unbound.includes(label))).toEqual([])
})

test('every statement that the tenancy check exempts because it only reads rows locks no rows and writes no rows', () => {
  const reads = new Set(finds.flatMap((exception) => exception.statements))
  const changes = statements.filter(({ label, effect }) => reads.has(label) && effect !== 'reads')
  expect(changes.map(({ label }) => label)).toEqual([])
})

test('the tenancy check includes the statements of list queries, which are built for each combination of filters', () => {
  const labels = statements.map(({ label }) => label)
  expect(labels).toEqual(expect.arrayContaining(['list_orders', 'list_products', 'list_customers']))
})

const bound: readonly string[] = [
  'select id from orders where merchant_id = $1',
  'select id from orders where $1::text = orders.merchant_id and (id = $2 or id is null)',
  'select o.id from orders o join refunds r on r.merchant_id = o.merchant_id where r.merchant_id = $1',
  'select o.id from orders o left join refunds r on (r.merchant_id, r.order_id) = (o.merchant_id, o.id) where o.merchant_id = $1',
  'select id from orders o join refunds r using (merchant_id) where o.merchant_id = $1',
  'select (select max(id) from refunds r where r.merchant_id = $1) from orders o where merchant_id = $1',
  'with own as (select * from orders where merchant_id = $1) select r.id from own join refunds r on r.merchant_id = $1 and r.order_id = own.id',
  'select id from orders where merchant_id = $1 union all select id from refunds where merchant_id = $1',
  'insert into orders (id, merchant_id) values ($2, $1)',
  'insert into refunds (merchant_id, id) select merchant_id, id from orders where merchant_id = $1',
  'insert into orders (merchant_id, id) values ($1, $2) on conflict (merchant_id, id) do update set note = excluded.note where orders.merchant_id = excluded.merchant_id',
  'with gone as (delete from orders where merchant_id = $1 returning id) insert into refunds (merchant_id, id) select $1, id from gone',
  'update orders set note = next.note from json_populate_recordset(null::orders, $2) as next where orders.merchant_id = $1 and orders.id = next.id',
  'insert into orders (merchant_id, id) values ($1, $2) on conflict (merchant_id, lower(id)) do update set note = lower(excluded.note) where orders.note is null',
  'delete from refunds using orders where refunds.merchant_id = orders.merchant_id and orders.merchant_id = $1',
  'select o.id from orders o left join (select merchant_id, order_id from refunds where merchant_id = $1) r on r.merchant_id = o.merchant_id and r.order_id = o.id where o.merchant_id = $1',
  'select o.id from orders o cross join lateral (select id from refunds r where r.merchant_id = $1 and r.order_id = o.id limit 1) r where o.merchant_id = $1',
  'insert into orders (merchant_id, id) select $1, id from json_populate_recordset(null::orders, $2)',
  'select name from merchants where id = $2',
  'select id from members where user_id = $2',
]

const restricted: readonly string[] = [
  'select id from orders where merchant_id = any($1)',
  'select id from orders where merchant_id = any($1) and exists (select from refunds where merchant_id = any($1) and order_id = orders.id)',
  'select o.id from orders o join refunds r on r.merchant_id = any($1) and r.merchant_id = o.merchant_id where o.merchant_id = any($1)',
]

test.each(
  restricted,
)('the tenancy check accepts an SQL search over all merchants that restricts each of its tables to the reachable merchants: %s', (text) => {
  expect(problemsOfSearch({ text, parameters: ['reachable', 'ids'] })).toEqual([])
})

const unrestricted: readonly (readonly [text: string, table: string])[] = [
  ['select id from orders', 'orders'],
  ['select id from orders where merchant_id = any($2)', 'orders'],
  ['select id from orders where merchant_id = any($1) or id is null', 'orders'],
  ['select id from orders where merchant_id = any($1) and exists (select from refunds)', 'refunds'],
  [
    'select o.id from orders o join refunds r on r.merchant_id = o.merchant_id where o.merchant_id = any($1)',
    'refunds',
  ],
  ['with every as (select id from refunds) select id from orders where merchant_id = any($1)', 'refunds'],
]

test.each(
  unrestricted,
)('the tenancy check rejects an SQL search over all merchants that does not restrict one of its tables to the reachable merchants: %s', (text, table) => {
  expect(problemsOfSearch({ text, parameters: ['reachable', 'ids'] })).toEqual([
    `${table} is not restricted to the reachable merchants`,
  ])
})

test.each(bound)('the tenancy check accepts a statement that binds all of its tables to one merchant: %s', (text) => {
  expect(problemsOf({ text, parameters: ['merchantId', 'id'] })).toEqual([])
})

const orders = 'orders is not bound to a merchant'
const refunds = 'refunds is not bound to a merchant'

const unbound: readonly (readonly [text: string, problem: string])[] = [
  ['select id from orders where id = $2', orders],
  ['select id from orders where merchant_id = $2', orders],
  ['select id from orders where merchant_id = any($1)', orders],
  ['select id from orders where merchant_id = $1 or id = $2', orders],
  ['select id from orders where not (merchant_id = $1)', orders],
  ['select id from orders where merchant_id <> $1', orders],
  ['select o.id from orders o join refunds r on r.order_id = o.id where o.merchant_id = $1', refunds],
  ['select (select max(id) from refunds) from orders where merchant_id = $1', refunds],
  ['select id from orders where merchant_id = $1 and exists (select from refunds where order_id = orders.id)', refunds],
  ['select id from orders where merchant_id = $1 order by (select count(*) from refunds)', refunds],
  ['select distinct on ((select count(*) from refunds)) id from orders where merchant_id = $1', refunds],
  [
    'select id from orders where merchant_id = $1 union all select id from orders where merchant_id = $1 limit (select count(*) from refunds)',
    refunds,
  ],
  ['with every_refund as (select id from refunds) select id from orders where merchant_id = $1', refunds],
  ['with orders as (select 1) select id from public.orders', orders],
  ['select id from orders where merchant_id = $1 union all select id from refunds', refunds],
  [
    'insert into refunds (merchant_id, id) select merchant_id, id from orders where merchant_id = $1 union all select $2, $2',
    refunds,
  ],
  ['select r.id from (values ($1), ($2)) as given (m) join refunds r on r.merchant_id = given.m', refunds],
  ['select r.id from unnest($1::text[]) as given (m) join refunds r on r.merchant_id = given.m', refunds],
  // Each subquery must restrict its own tables to a merchant. A comparison with a column of another query does not tell
  // which node has the rows.
  [
    'select (select max(id) from refunds r where r.merchant_id = o.merchant_id) from orders o where merchant_id = $1',
    refunds,
  ],
  [
    'select id from orders where merchant_id = $1 and exists (select from refunds where refunds.merchant_id = orders.merchant_id)',
    refunds,
  ],
  [
    'select o.id from orders o cross join lateral (select id from refunds r where r.merchant_id = o.merchant_id limit 1) r where o.merchant_id = $1',
    refunds,
  ],
  [
    'with own as (select * from orders where merchant_id = $1) select r.id from own join refunds r on r.merchant_id = own.merchant_id',
    refunds,
  ],
  [
    'with own (m) as (select merchant_id from orders where merchant_id = $1) select r.id from own, refunds r where r.merchant_id = own.m',
    refunds,
  ],
  ['select r.id from (select $1 as m) as given join refunds r on r.merchant_id = given.m', refunds],
  ['select r.id from (values ($1)) as given (m) join refunds r on r.merchant_id = given.m', refunds],
  [
    'with gone as (delete from orders where merchant_id = $1 returning merchant_id, id) insert into refunds (merchant_id, id) select merchant_id, id from gone',
    refunds,
  ],
  // An outer join returns every row of one side. The condition of the join removes only rows of the other side.
  ['select o.id from orders o left join refunds r on r.merchant_id = o.merchant_id and r.merchant_id = $1', orders],
  ['select o.id from refunds r right join orders o on r.merchant_id = o.merchant_id and r.merchant_id = $1', orders],
  [
    'select o.id from orders o left join (select merchant_id from refunds where merchant_id = $1) r on r.merchant_id = o.merchant_id',
    orders,
  ],
  [
    'select o.id from orders o left join (select merchant_id from refunds where merchant_id = $1) r using (merchant_id)',
    orders,
  ],
  ['select p.id from refunds p, orders o join payments r using (merchant_id) where o.merchant_id = $1', refunds],
  // The condition is in a subquery, so it does not restrict the rows of the outer query.
  [
    'select id from orders o where not exists (select from refunds r where r.merchant_id = o.merchant_id and r.merchant_id = $1)',
    orders,
  ],
  [
    'select (select max(r.id) from refunds r where r.merchant_id = o.merchant_id and r.merchant_id = $1) from orders o',
    orders,
  ],
  [
    'update orders o set note = (select max(r.id) from refunds r where r.merchant_id = o.merchant_id and r.merchant_id = $1)',
    orders,
  ],
  ['select id from orders where exists (select from members where merchant_id = $1)', orders],
  [
    'delete from orders where id in (select id from json_populate_recordset(null::orders, $2) where merchant_id = $1)',
    orders,
  ],
  [
    'delete from orders where id in (select id from json_to_recordset($2) as x (id text, merchant_id text) where merchant_id = $1)',
    orders,
  ],
  // In the next two statements, the condition restricts the result, not the rows that the query reads.
  [
    'with every_order as (select merchant_id, id from orders) select id from every_order where merchant_id = $1',
    orders,
  ],
  ['select id from (select merchant_id, id from orders limit 10) newest where newest.merchant_id = $1', orders],
  ['insert into orders (id) values ($2)', orders],
  [
    'insert into orders (merchant_id, id) select merchant_id, id from json_populate_recordset(null::orders, $2)',
    orders,
  ],
  [
    'insert into orders (merchant_id, id) select m, id from json_to_recordset($2) as x (m text, id text) on conflict (merchant_id, id) do update set id = excluded.id where orders.merchant_id = $1',
    orders,
  ],
  [
    'insert into refunds (merchant_id, id) select given.merchant_id, o.merchant_id from json_to_recordset($2) as given (merchant_id text), orders o where o.merchant_id = $1',
    refunds,
  ],
  ['update orders set note = null where id = $2', orders],
  ['delete from refunds using orders where refunds.id = orders.id and orders.merchant_id = $1', refunds],
  ['update orders set merchant_id = $1 where merchant_id = $1', 'orders changes its merchant'],
  [
    'insert into orders (merchant_id, id) values ($1, $2) on conflict (merchant_id, id) do update set merchant_id = excluded.merchant_id',
    'orders changes its merchant',
  ],
  [
    'insert into orders (merchant_id, id) values ($1, $2) on conflict (merchant_id, id) do update set note = excluded.note where orders.placed_at < now()',
    'orders handles a conflict by a function or a subquery',
  ],
  [
    'insert into orders (merchant_id, id) values ($1, $2) on conflict (merchant_id, id) do update set (note, id) = (select excluded.note, orders.id)',
    'orders handles a conflict by a function or a subquery',
  ],
  [
    'select o.id from orders o, refunds r where o.merchant_id = $1 and r.merchant_id = $3',
    'the tables are bound to several arguments: merchantId, owner',
  ],
]

test.each(
  unbound,
)('the tenancy check rejects a statement that reads rows of several merchants from a table: %s', (text, problem) => {
  expect(problemsOf({ text, parameters: ['merchantId', 'id', 'owner'] })).toEqual([problem])
})

const notUnderstood = ['truncate orders', 'lock table orders', 'select id from orders tablesample system (1)']

test.each(
  notUnderstood,
)('the tenancy check throws an error for SQL that its parser does not understand: %s', (text) => {
  expect(() => problemsOf({ text, parameters: [] })).toThrow('The check does not understand')
})
