import type pg from 'pg'
import { abortable, cutClient, endClient } from './end-client.ts'
import { newClientOf } from './server-client.ts'

/** The database of DATABASE_URL cannot be used. The message is for the operator. */
export class DatabaseError extends Error {}

/** Far longer than a connection within a country takes. */
const connectTimeoutMs = 10_000

/** PostgreSQL 15, whose features the migrations need. */
const oldestVersion = 150_000

/** Throws DatabaseError when the database is unreachable, too old or not encoded in UTF8. Rejects when aborted. */
export async function requireUsable(connectionString: string, signal?: AbortSignal): Promise<void> {
  const client = newClientOf(connectionString, { connectionTimeoutMillis: connectTimeoutMs })
  client.on('error', () => undefined)
  try {
    await abortable(
      signal,
      () => cutClient(client),
      () => requireUsableBy(client),
    )
  } finally {
    await endClient(client)
  }
}

async function requireUsableBy(client: pg.Client): Promise<void> {
  await connect(client)
  const { rows } = await client.query<{ encoding: string; version: number }>(
    "select current_setting('server_encoding') as encoding, current_setting('server_version_num')::int as version",
  )
  for (const { encoding, version } of rows) requireSupported(encoding, version)
}

async function connect(client: pg.Client): Promise<void> {
  try {
    await client.connect()
  } catch (error) {
    throw new DatabaseError(`The database cannot be reached: ${causeOf(error)} Check DATABASE_URL.`, { cause: error })
  }
}

function requireSupported(encoding: string, version: number): void {
  if (version < oldestVersion) {
    const shown = Math.floor(version / 10_000)
    throw new DatabaseError(`The database server is PostgreSQL ${shown}. Use version 15 or newer.`)
  }
  // Other encodings lack characters of some names. SQL_ASCII validates nothing and stores invalid text.
  if (encoding !== 'UTF8') {
    throw new DatabaseError(
      `The database has the encoding ${encoding}. Make one with \`create database commerce encoding 'UTF8' template template0\`.`,
    )
  }
}

/** Returns the first failure when several addresses were tried. */
function causeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return causeOf(error.errors[0])
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name
  const text = error.message === '' ? code : error.message
  return /[.!?]$/.test(text) ? text : `${text}.`
}
