import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, inject } from 'vitest'
import { runOnServers } from '../../scripts/citus/template-cluster.ts'
import { inDatabase } from '../../scripts/prepare-database.ts'
import { type Database, type DatabaseOptions, openDatabase } from '../../src/store/core/database.ts'

export interface TestDatabase {
  readonly database: Database
  readonly connectionString: string
  /** Connection string with the role that owns the tables, for changes of the schema. */
  readonly ownerConnectionString: string
  /**
   * Connection string with the role of a superuser, for SQL statements that neither the service nor the owner of the
   * tables may run.
   */
  readonly superuserConnectionString: string
}

/**
 * Creates a database for one test file as a copy of the migrated template database, and drops it at the end of the
 * file.
 */
export function useDatabase(): () => TestDatabase {
  let opened: TestDatabase | undefined
  const name = `test_${randomUUID().replaceAll('-', '')}`
  beforeAll(async () => {
    await onServers(`create database ${name} template template_commerce ${inject('copyOptions')}`)
    const connectionString = inDatabase(inject('templateConnectionString'), name)
    const database = openDatabase(throughPooler(connectionString))
    // Marks the database as distributed, as a process does after its check of the nodes.
    if (inject('serverConnectionStrings').length > 1) database.reachability.set({ reachable: [], unreachable: [] })
    opened = {
      database,
      connectionString,
      ownerConnectionString: inDatabase(inject('templateOwnerConnectionString'), name),
      superuserConnectionString: inDatabase(inject('adminConnectionString'), name),
    }
  })
  afterAll(async () => {
    await opened?.database.close()
    await onServers(`drop database if exists ${name} with (force)`)
  })
  return () => {
    if (opened === undefined) throw new Error('The database is open only while the tests of the file run.')
    return opened
  }
}

/** With `npm run pgbouncer-check`, the service connects to the database through PgBouncer. */
function throughPooler(connectionString: string): DatabaseOptions {
  const port = inject('poolerPort')
  if (port === null) return { connectionString }
  const pooled = Object.assign(new URL(connectionString), { port: String(port) })
  return { connectionString: pooled.href, directConnectionString: connectionString }
}

/** Runs an SQL statement as the owner of the tables, for changes of the schema that the service may not make. */
export async function asOwner(
  { ownerConnectionString }: Pick<TestDatabase, 'ownerConnectionString'>,
  text: string,
  values: readonly unknown[] = [],
): Promise<void> {
  const client = new pg.Client({ connectionString: ownerConnectionString })
  await client.connect()
  try {
    await client.query(text, [...values])
  } finally {
    await client.end()
  }
}

function onServers(statement: string): Promise<void> {
  return runOnServers(inject('serverConnectionStrings'), statement)
}
