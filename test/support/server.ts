import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { inDatabase, prepareDatabase } from '../../scripts/prepare-database.ts'
import { startPooler } from '../../scripts/temporary-pooler.ts'
import { openTemporaryPostgres } from '../../scripts/temporary-postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection string with the role of a superuser, for creating databases. */
    adminConnectionString: string
    /** Connection string to the template database with the role of the service. */
    templateConnectionString: string
    /** Connection string to the template database with the owner of the tables. */
    templateOwnerConnectionString: string
    /** The port on which PgBouncer listens during `npm run pgbouncer-check`. Otherwise null. */
    poolerPort: number | null
  }
}

/**
 * Starts one PostgreSQL server for the whole test run, with one migrated template database that every test file copies.
 */
export async function setup(project: TestProject) {
  const postgres = await openTemporaryPostgres({ name: 'test', durability: 'throwaway' })
  const admin = new pg.Client({ connectionString: postgres.adminConnectionString })
  await admin.connect()
  await admin.query('create database template_commerce owner commerce')
  await admin.end()
  const roles = {
    connectionString: inDatabase(postgres.connectionString, 'template_commerce'),
    ownerConnectionString: inDatabase(postgres.ownerConnectionString, 'template_commerce'),
  }
  await prepareDatabase(roles)
  project.provide('adminConnectionString', postgres.adminConnectionString)
  project.provide('templateConnectionString', roles.connectionString)
  project.provide('templateOwnerConnectionString', roles.ownerConnectionString)
  const pooler = process.env.TEST_POOLER === undefined ? undefined : await startPooler(postgres)
  project.provide('poolerPort', pooler?.port ?? null)
  return async () => {
    await pooler?.stop()
    await postgres.stop()
  }
}
