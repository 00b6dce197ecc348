import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { prepareDatabase } from '../../scripts/prepare-database.ts'
import { openEmbedded } from '../../src/store/embedded.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Superuser, to make databases with. */
    adminConnectionString: string
    /** The service's own role, in the template database. */
    templateConnectionString: string
  }
}

/** One PostgreSQL for the whole run, with one migrated template that every test file copies. */
export async function setup(project: TestProject) {
  const folder = await mkdtemp(join(tmpdir(), 'commerce-test-'))
  // Root's PostgreSQL runs as another account, which must reach its data.
  await chmod(folder, 0o711)
  const postgres = await openEmbedded({ dataDirectory: folder, durability: 'throwaway' })
  const template = new URL(postgres.connectionString)
  template.pathname = '/template_commerce'
  const admin = new pg.Client({ connectionString: postgres.adminConnectionString })
  await admin.connect()
  await admin.query('create database template_commerce owner commerce')
  await admin.end()
  await prepareDatabase(template.href)
  project.provide('adminConnectionString', postgres.adminConnectionString)
  project.provide('templateConnectionString', template.href)
  return async () => {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
