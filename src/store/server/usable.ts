import pg from 'pg'
import { abortable, cutClient, endClient } from '../core/end-client.ts'
import { isDiskFull } from '../core/faults.ts'
import { newClientOf } from '../core/server-client.ts'
import { requireDiskSpace } from './disk-space.ts'

/** Error: the database of DATABASE_URL cannot be used. The message is for the operator. */
export class DatabaseError extends Error {}

/** Time limit to connect to the database, far longer than a connection within a country takes. */
const connectTimeoutMs = 10_000

/** Time limit of each statement that checks the database. A healthy server takes milliseconds for these statements. */
const answerTimeoutMs = 10_000

const tooSlow =
  'The database accepts connections, but did not respond to a statement within 10 s. Check the load of the database server.'

/** Oldest supported version: PostgreSQL 15, whose features the migrations need. */
const oldestVersion = 150_000

/**
 * Throws DatabaseError when the database is unreachable, too old or not encoded in UTF8. Rejects when the signal
 * aborts.
 */
export function requireUsable(connectionString: string, signal?: AbortSignal): Promise<void> {
  return connected(connectionString, signal, requireUsableBy)
}

/**
 * Makes the same checks as `requireUsable`, and also throws when the database accepts no writes, or the disk of its
 * server is full.
 */
export function requireWritable(connectionString: string, signal?: AbortSignal): Promise<void> {
  return connected(connectionString, signal, async (client) => {
    await requireUsableBy(client)
    await requireWritableBy(client)
  })
}

async function connected(
  connectionString: string,
  signal: AbortSignal | undefined,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = newClientOf(connectionString, {
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: answerTimeoutMs,
  })
  client.on('error', () => undefined)
  try {
    await abortable(
      signal,
      () => cutClient(client),
      async () => {
        await connect(client)
        await work(client)
      },
    )
  } catch (error) {
    // node-postgres reports a query timeout with an error that has no code, only this message.
    if (error instanceof Error && error.message === 'Query read timeout')
      throw new DatabaseError(tooSlow, { cause: error })
    throw error
  } finally {
    await endClient(client)
  }
}

async function requireUsableBy(client: pg.Client): Promise<void> {
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

async function requireWritableBy(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ setting: string }>("select current_setting('transaction_read_only') as setting")
  if (rows.some(({ setting }) => setting === 'on')) {
    throw new DatabaseError(
      'The database accepts no writes: its server is a standby, or default_transaction_read_only is on. Set DATABASE_URL to the primary.',
    )
  }
  try {
    await requireDiskSpace(client)
  } catch (error) {
    if (isDiskFull(error)) throw new DatabaseError(diskFullLine(error), { cause: error })
    // Only the error of a full disk is reported. Any other error of the database server is ignored, because it may have
    // another cause: for example, the database role may not be allowed to create temporary files.
    if (!(error instanceof pg.DatabaseError)) throw error
  }
}

/** The message contains the server’s message, which names the file that could not be written. */
export function diskFullLine(error: unknown): string {
  return `The disk of the database server is full: ${causeOf(error)} Free some space, then start again.`
}

function requireSupported(encoding: string, version: number): void {
  if (version < oldestVersion) {
    const shown = Math.floor(version / 10_000)
    throw new DatabaseError(`The database server is PostgreSQL ${shown}. Use version 15 or newer.`)
  }
  // Only UTF8 is accepted: other encodings lack characters of some names. SQL_ASCII validates nothing and stores
  // invalid text.
  if (encoding !== 'UTF8') {
    throw new DatabaseError(
      `The database has the encoding ${encoding}. Create a database with \`create database commerce encoding 'UTF8' template template0\`.`,
    )
  }
}

/** If several addresses were tried, returns the failure of the first address. */
function causeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return causeOf(error.errors[0])
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name
  const text = error.message === '' ? code : error.message
  return /[.!?]$/.test(text) ? text : `${text}.`
}
