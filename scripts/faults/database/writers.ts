import { setTimeout as wait } from 'node:timers/promises'

/** Clients that write without pause and record the acknowledged writes. */
export interface Writers {
  /** Returns the time of the first recorded acknowledgement of a write request that was sent after the given time. */
  acknowledgedAfter(moment: number): number | undefined
  /**
   * Sends no new requests, repeats each refund until its outcome is certain, and returns the journal of the requests.
   */
  stop(): Promise<Journal>
}

export interface Journal {
  readonly customerIds: readonly string[]
  /** Ids of the acknowledged refunds by their idempotency keys. */
  readonly refundIds: ReadonlyMap<string, string>
  /** Number of write requests that returned 503 or got no response. */
  readonly failed: number
  readonly slowestMs: number
  /** Responses with a status other than 2xx and 503. The check expects none. */
  readonly unexpected: readonly string[]
}

interface Target {
  readonly url: string
  readonly token: string
  readonly orderIds: readonly string[]
}

/** Number of concurrent clients, few enough for two cores. */
const clients = 8

/** Pause of a client after a failed request, to avoid a retry storm. */
const pauseMs = 50

/** Timeout of a request. The service responds within 5 s when the database is unavailable. */
const deadlineMs = 15_000

interface Notes {
  readonly customerIds: string[]
  readonly refundIds: Map<string, string>
  readonly unexpected: string[]
  failed: number
  slowestMs: number
  latest: { sentMs: number; atMs: number }[]
}

export function startWriters(target: Target): Writers {
  const stopping = new AbortController()
  const notes: Notes = {
    customerIds: [],
    refundIds: new Map(),
    unexpected: [],
    failed: 0,
    slowestMs: 0,
    latest: [],
  }
  const running = Promise.all(Array.from({ length: clients }, (_, n) => write(target, notes, n, stopping.signal)))
  return {
    acknowledgedAfter: (moment) => notes.latest.find(({ sentMs }) => sentMs > moment)?.atMs,
    stop: async () => {
      stopping.abort()
      await running
      return notes
    },
  }
}

async function write(target: Target, notes: Notes, client: number, stopping: AbortSignal): Promise<void> {
  for (let n = 0; !stopping.aborted; n++) {
    const orderId = target.orderIds[(client + n * clients) % target.orderIds.length]
    const key = `kill-${client}-${n}`
    await refundUntilKnown(target, notes, { orderId, key })
    const created = await send(target, notes, '/customers', { name: 'Adaeze Okafor', email: `${key}@example.com` })
    if (created !== undefined) notes.customerIds.push(created)
    else await wait(pauseMs)
  }
}

/** Repeats a refund until its outcome is known, even after stop() was called. */
async function refundUntilKnown(
  target: Target,
  notes: Notes,
  { orderId, key }: { orderId: string | undefined; key: string },
): Promise<void> {
  const body = { orderId, amountKobo: 1, reason: 'damaged' }
  while (notes.unexpected.length === 0) {
    const id = await send(target, notes, '/refunds', body, { 'Idempotency-Key': key })
    if (id !== undefined) return void notes.refundIds.set(key, id)
    await wait(pauseMs)
  }
}

/** Returns the id of the record if the service acknowledged the write. */
async function send(
  { url, token }: Target,
  notes: Notes,
  path: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<string | undefined> {
  const sentMs = performance.now()
  try {
    const response = await fetch(`${url}/api/v1${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(deadlineMs),
    })
    const text = await response.text()
    notes.slowestMs = Math.max(notes.slowestMs, performance.now() - sentMs)
    if (response.ok) {
      notes.latest = [...notes.latest.slice(-clients), { sentMs, atMs: performance.now() }]
      return JSON.parse(text).id
    }
    // 409 means that an earlier request with the same key is still in progress.
    if (![503, 409].includes(response.status)) notes.unexpected.push(`${path} ${response.status} ${text}`)
  } catch {
    // The request got no response.
  }
  notes.failed += 1
  return undefined
}
