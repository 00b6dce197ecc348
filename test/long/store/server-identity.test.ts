import { appendFile, chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { openEmbedded } from '../../../src/store/embedded/embedded.ts'
import { migrateAndGrant } from '../../../src/store/server/migrate.ts'

/**
 * The identity of a database server. If the identity changes, the service notices that it is connected to another
 * server, which may lack some writes of the service.
 */

test('all connections read the same identity of a database server, and the identity changes when a dump is restored and when the server restarts or recovers', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'identity-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  // When the test runs as root, PostgreSQL runs as another user, who must be able to read its data.
  await chmod(folder, 0o711)
  let known: string[] = []
  /** Returns the parts of the server's identity that changed since the last call. */
  const changes = async (connectionString: string) => {
    const identity = await identityOf(connectionString)
    expect(await identityOf(connectionString)).toBe(identity)
    const before = known
    known = identity.split('/')
    return ['cluster', 'timeline', 'start', 'database', 'table'].filter((_, index) => known[index] !== before[index])
  }

  const first = await openEmbedded({ dataDirectory: folder, durability: 'throwaway' })
  onTestFinished(() => first.stop())
  await migrateAndGrant(first)
  await changes(first.connectionString)
  expect(known).toEqual([
    expect.stringMatching(/^\d{15,}$/),
    '00000001',
    ...Array(3).fill(expect.stringMatching(/^\d/)),
  ])
  // Truncates the table of refunds, as the restore of a data dump does at its beginning.
  await query(first.ownerConnectionString, 'truncate refunds cascade')
  expect(await changes(first.connectionString)).toEqual(['table'])
  await query(first.adminConnectionString, 'create database copied template commerce')
  expect(await changes(first.connectionString.replace(/[^/]+$/, 'copied'))).toEqual(['database'])
  await changes(first.connectionString)
  await first.stop()

  const second = await openEmbedded({ dataDirectory: folder, durability: 'throwaway' })
  onTestFinished(() => second.stop())
  expect(await changes(second.connectionString)).toEqual(['start'])
  await second.stop()

  // Makes the server recover from a write-ahead log archive, which is empty here.
  await appendFile(join(folder, 'postgres', 'postgresql.auto.conf'), "restore_command = 'false'\n")
  await writeFile(join(folder, 'postgres', 'recovery.signal'), '')
  const recovered = await openEmbedded({ dataDirectory: folder, durability: 'throwaway' })
  onTestFinished(() => recovered.stop())
  await expect.poll(() => isInRecovery(recovered.connectionString)).toBe(false)
  expect(await changes(recovered.connectionString)).toEqual(['timeline', 'start'])
})

async function identityOf(connectionString: string): Promise<string> {
  return (await query(connectionString, 'select server_identity() as value'))[0]?.value
}

async function isInRecovery(connectionString: string): Promise<boolean> {
  return (await query(connectionString, 'select pg_is_in_recovery() as value'))[0]?.value
}

// biome-ignore lint/suspicious/noExplicitAny: a test asserts what it reads.
async function query(connectionString: string, text: string): Promise<any[]> {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}
