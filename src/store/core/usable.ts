import pg from 'pg'
import { abortable, cutClient, endClient } from './end-client.ts'

/** The database of DATABASE_URL cannot be used. The message is for the operator. */
export class DatabaseError extends Error {}

/** Far longer than a database in the same country takes to answer. */
const connectTimeoutMs = 10_000

/** PostgreSQL 15; SQL in the migrations needs what came with it. */
const oldestVersion = 150_000

/** Says in one line why the database cannot be connected to, or cannot store what the service writes. Ends on an abort. */
export async function requireUsable(connectionString: string, signal?: AbortSignal): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: connectTimeoutMs })
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
  for (const { encoding, version } of rows) judge(encoding, version)
}

async function connect(client: pg.Client): Promise<void> {
  try {
    await client.connect()
  } catch (error) {
    throw new DatabaseError(`The database cannot be reached: ${causeOf(error)} Check DATABASE_URL.`, { cause: error })
  }
}

function judge(encoding: string, version: number): void {
  if (version < oldestVersion) {
    const shown = Math.floor(version / 10_000)
    throw new DatabaseError(`The database server is PostgreSQL ${shown}. Use version 15 or newer.`)
  }
  // Other encodings lack characters that names have; SQL_ASCII checks nothing and stores broken text.
  if (encoding !== 'UTF8') {
    throw new DatabaseError(
      `The database has the encoding ${encoding}. Make one with \`create database commerce encoding 'UTF8' template template0\`.`,
    )
  }
}

/** Several addresses were tried; the first failure stands for them. */
function causeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return causeOf(error.errors[0])
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name
  const text = error.message === '' ? code : error.message
  return /[.!?]$/.test(text) ? text : `${text}.`
}
