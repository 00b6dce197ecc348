import { expect, test } from 'vitest'
import { clockSkewMaxMs } from '../../src/base/clock.ts'
import type { Cluster, ClusterNode } from '../../src/store/distribution/cluster.ts'
import { problemsOf, stepsOf } from '../../src/store/distribution/plan.ts'
import { distribution } from '../../src/store/tables/distribution.ts'

const report = { version: '13.0-1', allowsTriggers: true, isReadOnly: false, plansWithoutArguments: false, atMs: 1_005 }

const node = (name: string, changes: Partial<NonNullable<ClusterNode['report']>> = {}): ClusterNode => ({
  name,
  hasShards: name !== 'coordinator:5432',
  report: { ...report, ...changes },
  fault: null,
  diskFault: null,
})

const tables = Object.keys(distribution)

/** A cluster without problems. Its tables are not distributed. */
const cluster: Cluster = {
  nodes: [node('coordinator:5432'), node('one:5432'), node('two:5432')],
  asked: { fromMs: 1_000, toMs: 1_010 },
  tables: new Map(tables.map((table) => [table, null])),
  isKnown: false,
  isInterrupted: false,
  connections: [],
}

const withTables = (placed: Readonly<Record<string, string>>, changes: Partial<Cluster> = {}): Cluster => ({
  ...cluster,
  ...changes,
  tables: new Map([...cluster.tables, ...Object.entries(placed)]),
})

const asOwner = { hasServiceRole: false }

const withWorker = (worker: ClusterNode): Cluster => ({ ...cluster, nodes: [node('coordinator:5432'), worker] })

test('the distribution plan drops the foreign keys, converts each table once to a reference or distributed table, and adds the foreign keys again', () => {
  expect(problemsOf(cluster, asOwner)).toEqual([])
  const steps = stepsOf(cluster)
  const made = steps.flatMap((step) => ('table' in step ? [[step.table, step.is]] : []))
  const expected = Object.entries(distribution).flatMap(([table, [is]]) => {
    if (is === 'coordinator') return []
    return [[table, is === 'reference' ? 'create_reference_table' : 'distribute_table']]
  })
  expect(made.toSorted()).toEqual(expected.toSorted())
  const firstDistributed = made.findIndex(([, is]) => is === 'distribute_table')
  expect(made.slice(firstDistributed).every(([, is]) => is === 'distribute_table')).toBe(true)
  const tables = made.map(([table]) => table)
  expect([steps[0], steps.at(-1)]).toEqual([{ is: 'drop_foreign_keys', tables }, { is: 'add_foreign_keys' }])
})

/** The state of each table (`local`, `reference` or `distributed`) after a complete run of `commerce distribute`. */
const placed = Object.fromEntries(
  Object.entries(distribution).map(([table, [is]]) => [table, is === 'coordinator' ? 'local' : is]),
)

test('the distribution plan contains only steps for the tables that are not distributed yet, also after an interrupted run', () => {
  const { orders: _, ...others } = placed
  const distributed = withTables(others, { isKnown: true })
  expect(problemsOf(distributed, asOwner)).toEqual([])
  const steps = [
    { is: 'drop_foreign_keys', tables: ['orders'] },
    { is: 'distribute_table', table: 'orders' },
    { is: 'add_foreign_keys' },
  ]
  expect(stepsOf(distributed)).toEqual(steps)
  expect(stepsOf({ ...distributed, isInterrupted: true })).toEqual(steps)
})

test('the distribution plan of a distributed database is empty, except after an interrupted run, when it adds the dropped foreign keys again', () => {
  const distributed = withTables(placed, { isKnown: true })
  expect(problemsOf(distributed, asOwner)).toEqual([])
  expect(stepsOf(distributed)).toEqual([])
  expect(stepsOf({ ...distributed, isInterrupted: true })).toEqual([{ is: 'add_foreign_keys' }])
})

const refused: readonly (readonly [Cluster | undefined, string])[] = [
  [undefined, 'The database does not have the extension citus. Install it on every node, and add the worker nodes.'],
  [withWorker(node('one:5432', { version: null })), 'Node one:5432 has no extension citus; citus 13 is required.'],
  [withWorker(node('one:5432', { version: '12.1-1' })), 'Node one:5432 has citus 12.1-1; citus 13 is required.'],
  [
    withWorker(node('one:5432', { allowsTriggers: false })),
    'Node one:5432 has citus.enable_unsafe_triggers off. Turn it on.',
  ],
  [withWorker(node('one:5432', { isReadOnly: true })), 'Node one:5432 is read-only.'],
  [
    withWorker(node('one:5432', { plansWithoutArguments: true })),
    'Node one:5432 has plan_cache_mode force_generic_plan. Set it to auto.',
  ],
  [
    withWorker({ ...node('one:5432'), diskFault: 'No space left on device' }),
    'Node one:5432 cannot write a temporary file: No space left on device',
  ],
  [
    withWorker(node('one:5432', { atMs: cluster.asked.toMs + clockSkewMaxMs + 1 })),
    'The clock of node one:5432 differs by 60 s from that of the coordinator.',
  ],
  [
    withWorker({ ...node('one:5432'), report: null, fault: 'connection refused' }),
    'Node one:5432 did not respond: connection refused',
  ],
  [{ ...cluster, nodes: [node('coordinator:5432')] }, 'No node is allowed to have shards. Add worker nodes.'],
  [
    withTables({ orders: 'distributed' }),
    'These tables were distributed by another command: orders. Call undistribute_table() for each.',
  ],
  [
    withTables({ sessions: 'reference', orders: 'distributed' }, { isKnown: true }),
    'These tables were distributed by another command: sessions. Call undistribute_table() for each.',
  ],
  [
    { ...cluster, connections: ['commerce-api-host-1'] },
    'Processes of the service are connected: commerce-api-host-1. Stop them first.',
  ],
]

test.each(
  refused,
)('if the database cannot be distributed, the error has one sentence for each problem (case %#)', (state, problem) => {
  expect(problemsOf(state, asOwner)).toEqual([problem])
})

test('a database can be distributed to a node whose clock differs from the coordinator’s clock by at most the allowed time', () => {
  expect(problemsOf(withWorker(node('one:5432', { atMs: cluster.asked.toMs + clockSkewMaxMs })), asOwner)).toEqual([])
})

test('a database cannot be distributed while the service connects with a role that does not own the tables', () => {
  expect(problemsOf(cluster, { hasServiceRole: true })).toEqual([
    'The service must connect as the owner of the tables. Set DATABASE_URL to the owner’s URL.',
  ])
})
