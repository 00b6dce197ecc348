import { type FileHandle, open } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'

/** Clients that create customers without pause and store each acknowledgement in a journal on disk. */
export interface Writers {
  /** Returns the time of the first acknowledgement of a write request that was sent after the given time. */
  acknowledgedAfter(momentMs: number): number | undefined
  /** Stops each client after its current request. */
  stop(): Promise<Journal>
}

export interface Journal {
  /** The ids of the acknowledged customers. */
  readonly ids: readonly string[]
  readonly acknowledged: readonly Acknowledged[]
  /** Number of write requests that returned 503 or an unknown outcome, or got no response. */
  readonly refused: number
  readonly slowestMs: number
  /**
   * Unexpected responses to the write requests: neither 201, nor 503, nor an unknown outcome. The check expects no such
   * response.
   */
  readonly unexpected: readonly string[]
}

export interface Target {
  readonly url: string
  readonly token: string
  /** The path of the clients' journal file. */
  readonly path: string
  /** Number of clients. The default is more than the database connections that the service gives to one merchant. */
  readonly clients?: number
}

/** Number of clients, more than the database connections that the service gives to one merchant. */
const clientsUsual = 10

/** Pause of a client after a refused request, to avoid a retry storm. */
const pauseMs = 50

/** Timeout of a client's request: twice the time within which the service responds to every request. */
const deadlineMs = 20_000

/** Maximum number of unexpected responses that are stored: enough to see their causes. */
const unexpectedMax = 50

/** When a write request was sent, and when it was acknowledged, by `performance.now()`. */
export interface Acknowledged {
  readonly sentMs: number
  readonly atMs: number
}

interface Notes {
  readonly ids: string[]
  readonly unexpected: string[]
  readonly acknowledged: Acknowledged[]
  refused: number
  slowestMs: number
}

export async function startWriters(target: Target): Promise<Writers> {
  const file = await open(target.path, 'a')
  const stopping = new AbortController()
  const notes: Notes = { ids: [], unexpected: [], acknowledged: [], refused: 0, slowestMs: 0 }
  const write = async (client: number) => {
    for (let number = 0; !stopping.signal.aborted; number++) {
      const isDone = await create(target, notes, { file, email: `writer-${client}-${number}@example.com` })
      if (!isDone) await wait(pauseMs)
    }
  }
  const running = Promise.all(Array.from({ length: target.clients ?? clientsUsual }, (_, client) => write(client)))
  return {
    acknowledgedAfter: (momentMs) => notes.acknowledged.find(({ sentMs }) => sentMs > momentMs)?.atMs,
    stop: async () => {
      stopping.abort()
      await running
      await file.close()
      return notes
    },
  }
}

interface Write {
  readonly file: FileHandle
  readonly email: string
}

/** Returns whether the service acknowledged the new customer. */
async function create({ url, token }: Target, notes: Notes, { file, email }: Write): Promise<boolean> {
  const sentMs = performance.now()
  const response = await fetch(`${url}/api/v1/customers`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Adaeze Okafor', email }),
    signal: AbortSignal.timeout(deadlineMs),
  }).catch(() => undefined)
  const text = await response?.text().catch(() => undefined)
  notes.slowestMs = Math.max(notes.slowestMs, performance.now() - sentMs)
  if (response?.status === 201 && text !== undefined) {
    const { id }: { id: string } = JSON.parse(text)
    await file.appendFile(`${id}\n`)
    await file.datasync()
    notes.ids.push(id)
    notes.acknowledged.push({ sentMs, atMs: performance.now() })
    return true
  }
  notes.refused += 1
  if (!isExpected(response, text) && notes.unexpected.length < unexpectedMax)
    notes.unexpected.push(`${response?.status} ${text}`)
  return false
}

/**
 * A response that rejects a write has `Retry-After`, unless the commit was interrupted: then the client must check the
 * record before it retries.
 */
function isExpected(response: Response | undefined, text: string | undefined): boolean {
  if (response === undefined) return true
  return (
    response.status === 503 && (response.headers.has('retry-after') || text?.includes('"outcome_unknown"') === true)
  )
}
