import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, inject } from 'vitest'
import { type Database, openDatabase } from '../../src/store/core/database.ts'

export interface TestDatabase {
  readonly database: Database
  readonly connectionString: string
  /** For statements that the service’s own role must not run. */
  readonly superuserConnectionString: string
}

/** Creates a database for one test file from the migrated template and drops it at the end. */
export function useDatabase(): () => TestDatabase {
  let opened: TestDatabase | undefined
  const name = `test_${randomUUID().replaceAll('-', '')}`
  beforeAll(async () => {
    await asAdmin(`create database ${name} template template_commerce owner commerce`)
    const connectionString = inDatabase(inject('templateConnectionString'), name)
    const superuserConnectionString = inDatabase(inject('adminConnectionString'), name)
    opened = { database: openDatabase({ connectionString }), connectionString, superuserConnectionString }
  })
  afterAll(async () => {
    await opened?.database.close()
    await asAdmin(`drop database if exists ${name} with (force)`)
  })
  return () => {
    if (opened === undefined) throw new Error('The database is open only while the tests of the file run.')
    return opened
  }
}

function inDatabase(connectionString: string, name: string): string {
  const url = new URL(connectionString)
  url.pathname = `/${name}`
  return url.href
}

async function asAdmin(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('adminConnectionString') })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
