import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { openTemplateCluster } from '../../scripts/citus/template-cluster.ts'
import { inDatabase, prepareDatabase } from '../../scripts/prepare-database.ts'
import { startPooler } from '../../scripts/temporary-pooler.ts'
import { openTemporaryPostgres } from '../../scripts/temporary-postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection string with the role of a superuser. */
    adminConnectionString: string
    /** Connection strings with the role of a superuser, one for each server on which databases are created. */
    serverConnectionStrings: readonly string[]
    /** The options with which `create database` copies the template database. */
    copyOptions: string
    /** Connection string to the template database with the role of the service. */
    templateConnectionString: string
    /** Connection string to the template database with the role that owns the tables. */
    templateOwnerConnectionString: string
    /** The port on which PgBouncer listens during `npm run pgbouncer-check`. Otherwise null. */
    poolerPort: number | null
  }
}

export const templateName = 'template_commerce'

/**
 * Starts one PostgreSQL server for the whole test run, with one migrated template database that every test file copies.
 * With `npm run citus-check`, the template and its copies are on the nodes of a cluster that exists.
 */
export function setup(project: TestProject) {
  const cluster = process.env.TEST_CITUS_URL
  return cluster === undefined ? startServer(project) : useCluster(project, cluster)
}

function roleOf(connectionString: string): string {
  return new URL(connectionString).username
}

async function useCluster(project: TestProject, connectionString: string) {
  const template = await openTemplateCluster(connectionString, templateName)
  project.provide('adminConnectionString', connectionString)
  project.provide('serverConnectionStrings', template.nodes)
  // Unlike copies of files, logged copies need no checkpoints, which take seconds on a server that writes to its disk.
  project.provide('copyOptions', 'strategy wal_log')
  project.provide('templateConnectionString', template.connectionString)
  project.provide('templateOwnerConnectionString', template.connectionString)
  project.provide('poolerPort', null)
  return () => template.close()
}

async function startServer(project: TestProject) {
  const postgres = await openTemporaryPostgres({ name: 'test', durability: 'throwaway' })
  const admin = new pg.Client({ connectionString: postgres.adminConnectionString })
  await admin.connect()
  await admin.query(`create database ${templateName} owner commerce`)
  const roles = {
    connectionString: inDatabase(postgres.connectionString, templateName),
    ownerConnectionString: inDatabase(postgres.ownerConnectionString, templateName),
  }
  await prepareDatabase(roles)
  // A test runs a statement only a few times on each connection. By default, PostgreSQL makes a custom plan for each of
  // the first five executions. With generic plans, all tests together take 6 % less CPU time. The plan does not affect
  // the results of a statement.
  await admin.query(`alter role ${roleOf(postgres.connectionString)} set plan_cache_mode = force_generic_plan`)
  await admin.end()
  project.provide('adminConnectionString', postgres.adminConnectionString)
  project.provide('serverConnectionStrings', [postgres.adminConnectionString])
  // PostgreSQL copies the files of the template. Writing the pages of the template to the write-ahead log instead would
  // take twice the CPU time.
  project.provide('copyOptions', 'owner commerce strategy file_copy')
  project.provide('templateConnectionString', roles.connectionString)
  project.provide('templateOwnerConnectionString', roles.ownerConnectionString)
  const pooler = process.env.TEST_POOLER === undefined ? undefined : await startPooler(postgres)
  project.provide('poolerPort', pooler?.port ?? null)
  return async () => {
    await pooler?.stop()
    await postgres.stop()
  }
}
