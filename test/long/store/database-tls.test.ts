import { chown, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openTemporaryPostgres, type TemporaryPostgres } from '../../../scripts/temporary-postgres.ts'
import { openDatabase } from '../../../src/store/core/database.ts'
import { openAuthority } from '../../outbound/certificates.ts'

/** Tests connections to a PostgreSQL server that has a certificate for `localhost`. */

let postgres: TemporaryPostgres
let trusted: string
let other: string

beforeAll(async () => {
  postgres = await openTemporaryPostgres({ name: 'tls', durability: 'throwaway' })
  const { place, dataDirectory, adminConnectionString } = postgres
  const authority = openAuthority()
  const { cert, key } = authority.issue('localhost')
  trusted = join(dataDirectory, 'trusted.pem')
  other = join(dataDirectory, 'other.pem')
  await writeFile(trusted, authority.cert)
  await writeFile(other, openAuthority().cert)
  const files = { ssl_cert_file: cert, ssl_key_file: key }
  const client = new pg.Client({ connectionString: adminConnectionString })
  await client.connect()
  for (const [setting, pem] of Object.entries(files)) {
    const path = join(place.cluster, `${setting}.pem`)
    await writeFile(path, pem, { mode: 0o600 })
    if (place.account !== undefined) await chown(path, place.account.uid, place.account.gid)
    await client.query(`alter system set ${setting} = ${client.escapeLiteral(path)}`)
  }
  await client.query('alter system set ssl = on')
  await client.query('select pg_reload_conf()')
  await client.end()
})
afterAll(() => postgres.stop())

async function isEncrypted(host: string, parameters: Readonly<Record<string, string>>): Promise<boolean> {
  const url = new URL(postgres.connectionString)
  url.hostname = host
  url.search = new URLSearchParams(parameters).toString()
  const database = openDatabase({ connectionString: url.href, maxConnections: 1 })
  onTestFinished(() => database.close())
  const { rows } = await database.pool.query('select ssl from pg_stat_ssl where pid = pg_backend_pid()')
  return rows[0]?.ssl
}

test('sslmode=verify-full encrypts the connection to a server whose certificate was issued by the trusted authority', async () => {
  expect(await isEncrypted('localhost', { sslmode: 'verify-full', sslrootcert: trusted })).toBe(true)
})

test('sslmode=verify-full rejects a server whose certificate was not issued by the authority in sslrootcert', async () => {
  const rejected = isEncrypted('localhost', { sslmode: 'verify-full', sslrootcert: other })
  await expect(rejected).rejects.toThrow(/certificate/)
})

test('sslmode=verify-full rejects a server whose certificate is for another name', async () => {
  const rejected = isEncrypted('127.0.0.1', { sslmode: 'verify-full', sslrootcert: trusted })
  await expect(rejected).rejects.toThrow(/altnames/)
})

test('sslmode=disable does not encrypt the connection', async () => {
  expect(await isEncrypted('localhost', { sslmode: 'disable' })).toBe(false)
})
