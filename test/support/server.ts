import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { prepareDatabase } from '../../scripts/prepare-database.ts'
import { openTemporaryPostgres } from '../../scripts/temporary-postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A superuser’s, for creating databases. */
    adminConnectionString: string
    /** The service’s own role, in the template database. */
    templateConnectionString: string
  }
}

/** Starts one PostgreSQL for the whole run, with one migrated template that every test file copies. */
export async function setup(project: TestProject) {
  const postgres = await openTemporaryPostgres({ name: 'test', durability: 'throwaway' })
  const template = new URL(postgres.connectionString)
  template.pathname = '/template_commerce'
  const admin = new pg.Client({ connectionString: postgres.adminConnectionString })
  await admin.connect()
  await admin.query('create database template_commerce owner commerce')
  await admin.end()
  await prepareDatabase(template.href)
  project.provide('adminConnectionString', postgres.adminConnectionString)
  project.provide('templateConnectionString', template.href)
  return postgres.stop
}
