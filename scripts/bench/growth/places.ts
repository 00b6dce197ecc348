import pg from 'pg'
import { systemClock } from '../../../src/base/clock.ts'
import type { DatabaseRoles } from '../../../src/store/server/service-role.ts'
import { inDatabase } from '../../prepare-database.ts'
import { nodeOptions } from '../../start-command.ts'
import type { TemporaryPostgres } from '../../temporary-postgres.ts'
import { type Server, startServer } from '../compare.ts'
import { fillAuditLog } from '../list-rows.ts'
import { orderIdOf } from '../orders.ts'
import { createRefundTargets } from '../refund-targets.ts'

/** A database with a given number of orders of one merchant, and an instance of the service that uses it. */
export interface Place {
  readonly name: string
  readonly roles: DatabaseRoles
  readonly server: Server
  /** The base URL of the service, to which the path of an operation is appended. */
  readonly base: string
  readonly token: string
  /** Returns the ids of orders one after another, distributed evenly over the table. */
  readonly nextOrder: () => string
}

/**
 * Number of orders in the small database: twice `deepOffset`, so that the page after `deepOffset` orders is in the
 * middle of the list.
 */
export const smallOrders = 10_000

/** Number of audit log rows for each order: its creation, payment, fulfilment, shipment and delivery. */
const auditRowsPerOrder = 5

/**
 * Creates the small and the large database on one PostgreSQL server, so that they share its configuration and its
 * cache.
 */
export async function openPlaces(
  postgres: TemporaryPostgres,
  largeOrders: number,
): Promise<{ readonly small: Place; readonly large: Place }> {
  await createDatabase(postgres, 'growth')
  const ofDatabase = { connectionString: inDatabase(postgres.connectionString, 'growth') }
  const ofOwner = { ownerConnectionString: inDatabase(postgres.ownerConnectionString, 'growth') }
  const small = await openPlace('small', { ...ofDatabase, ...ofOwner }, smallOrders)
  const large = await openPlace('large', postgres, largeOrders)
  return { small, large }
}

/** Creates a database as a copy of the migrated template database. No connection to the template may be open. */
async function createDatabase({ adminConnectionString }: TemporaryPostgres, name: string): Promise<void> {
  const admin = new pg.Client({ connectionString: adminConnectionString })
  await admin.connect()
  await admin.query(`create database ${name} template commerce owner commerce`)
  await admin.end()
}

async function openPlace(name: string, roles: DatabaseRoles, orders: number): Promise<Place> {
  const started = performance.now()
  const { merchantId, token } = await createRefundTargets(roles, orders, ['orders:read', 'refunds:write'])
  const client = new pg.Client({ connectionString: roles.ownerConnectionString })
  await client.connect()
  const auditRows = auditRowsPerOrder * orders
  await fillAuditLog(client, { merchantId, count: auditRows, untilMs: systemClock.nowMs() })
  await client.query('vacuum analyze audit_log')
  await client.query('checkpoint').catch(() => undefined)
  await client.end()
  const seconds = Math.round((performance.now() - started) / 1000)
  console.log(`Inserted ${orders} orders and ${auditRows} audit rows in ${seconds} s`)
  const server = await startServer('service.ts', [roles.connectionString], nodeOptions)
  return { name, roles, server, base: `${server.url}/api/v1`, token, nextOrder: walk(orders) }
}

/**
 * Returns a function that returns the id of the next order to refund. The function cycles through the same number of
 * orders in both databases, so that the orders in both have equally many refunds.
 */
function walk(orders: number): () => string {
  const step = Math.floor(orders / smallOrders)
  let turn = 0
  return () => orderIdOf(1 + (turn++ % smallOrders) * step)
}
