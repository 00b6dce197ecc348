import { setTimeout as wait } from 'node:timers/promises'
import { type Random, randomOf } from '../../../src/demo/random.ts'
import type { Action, Intent, Journal, Outcome } from './journal.ts'
import { orderOf, type Shop } from './shop.ts'

/** Clients that write and read without pause during a round, and record each request in the journal. */
export interface Load {
  /**
   * Resolves when every client has an acknowledged write that it sent after this call. Returns the time of the last
   * acknowledgement.
   */
  recoveredAfter(moment: number): Promise<number>
  /** Stops the clients, then repeats the refunds of unknown outcome until the outcome of each refund is certain. */
  stop(): Promise<LoadReport>
}

export interface LoadReport {
  readonly operations: number
  /** Responses that the injected faults do not explain: an unexpected status, a late response, or no response. */
  readonly complaints: readonly string[]
  readonly slowestMs: number
}

export interface LoadOptions {
  readonly url: string
  readonly shop: Shop
  readonly journal: Journal
  readonly seed: string
  /** Whether clients may lose their connections during the fault. If not, every request must get a response in time. */
  readonly mayDisconnect: boolean
  /**
   * Returns the cumulative time in milliseconds for which a client's requests have waited for a processor of this
   * machine.
   */
  readonly waitedMs: () => number
}

/** Number of clients: enough to contend for three orders, and few enough that two cores can respond without delay. */
const clients = 6

/**
 * Pause of a client between two requests. It limits the number of records of a round, so that their check takes
 * seconds.
 */
const pauseMs = 25

/**
 * Maximum response time. The service responds within 5 s of reading a request; the rest is for the network and for
 * requests that the process has not read yet.
 */
const responseMaxMs = 6_500

/** Timeout of a request: so long that a late response on a busy machine is still received and reported as late. */
const timeoutMs = 45_000

/** Maximum number of recorded unexpected responses of a round. Further ones have the same cause. */
const complaintsMax = 20

/** Maximum time during which refunds of unknown outcome are repeated. A process restarts within seconds. */
const settleMaxMs = 60_000

/**
 * Percentage of the refunds that repeat an earlier refund on purpose, and percentage of these repetitions that have
 * another amount.
 */
const repeatedPercent = 40
const alteredPercent = 5

const actions = [
  { action: 'refund', weight: 45 },
  { action: 'customer', weight: 15 },
  { action: 'order', weight: 10 },
  { action: 'cancel', weight: 5 },
  { action: 'stock', weight: 10 },
  { action: 'list', weight: 15 },
] as const

type Unnumbered = Omit<Intent, 'number'>

interface Acknowledged {
  readonly client: number
  readonly sentMs: number
  readonly atMs: number
}

interface State extends LoadOptions {
  readonly notes: { operations: number; slowestMs: number; complaints: string[] }
  readonly listeners: Set<(acknowledged: Acknowledged) => void>
  /** Refunds with an idempotency key, some of which clients repeat on purpose. */
  readonly refunds: Unnumbered[]
  readonly unknown: Unnumbered[]
  readonly cancellable: string[]
}

export function startLoad(options: LoadOptions): Load {
  const stopping = new AbortController()
  const state: State = {
    ...options,
    notes: { operations: 0, slowestMs: 0, complaints: [] },
    listeners: new Set(),
    refunds: [],
    unknown: [],
    cancellable: [],
  }
  const running = Promise.all(Array.from({ length: clients }, (_, client) => run(state, client, stopping.signal)))
  return {
    recoveredAfter: (moment) =>
      new Promise((resolve) => {
        const served = new Set<number>()
        const listener = ({ client, sentMs, atMs }: Acknowledged) => {
          if (sentMs < moment) return
          served.add(client)
          if (served.size < clients) return
          state.listeners.delete(listener)
          resolve(atMs)
        }
        state.listeners.add(listener)
      }),
    stop: async () => {
      stopping.abort()
      await running
      await settle(state)
      return state.notes
    },
  }
}

async function run(state: State, client: number, stopping: AbortSignal): Promise<void> {
  const random = randomOf(state.seed, 'client', client)
  while (!stopping.aborted) {
    const { action } = random.weighted(actions)
    if (action === 'list') await exchange(state, { method: 'GET', path: '/orders?limit=5' })
    else {
      const intent = nextIntent(state, action, random)
      const sentMs = performance.now()
      const outcome = intent === undefined ? undefined : await act(state, intent)
      if (outcome?.outcome === 'acknowledged')
        for (const listener of state.listeners) listener({ client, sentMs, atMs: performance.now() })
      if (intent?.action === 'refund' && outcome?.outcome === 'unknown') state.unknown.push(intent)
      if (intent?.action === 'refund' && outcome?.outcome === 'acknowledged') state.refunds.push(intent)
    }
    await wait(pauseMs)
  }
}

/** Returns the next request of a client. Undefined when no record is in a state that allows the chosen action. */
function nextIntent(state: State, action: Action, random: Random): Unnumbered | undefined {
  const intent = { is: 'intent' as const, action, key: null, orderId: null, amount: null }
  switch (action) {
    case 'refund': {
      const earlier =
        state.refunds.length > 0 && random.chance(repeatedPercent) ? random.pick(state.refunds) : undefined
      if (earlier !== undefined) {
        const { amount } = earlier
        return { ...earlier, amount: random.chance(alteredPercent) ? (amount ?? 0) + 1 : amount }
      }
      const key = `${state.seed}-${random.fraction()}`
      return { ...intent, key, orderId: random.pick(state.shop.orderIds), amount: random.between(1, 9) }
    }
    case 'cancel': {
      const orderId = state.cancellable.shift()
      return orderId === undefined ? undefined : { ...intent, orderId }
    }
    case 'stock':
      return { ...intent, amount: random.between(1, 9) }
    default:
      return intent
  }
}

async function act(state: State, intended: Unnumbered): Promise<Outcome> {
  const { notes, journal, shop, cancellable } = state
  notes.operations += 1
  const intent: Intent = { ...intended, number: notes.operations }
  await journal.write(intent)
  const outcome = outcomeOf(intent, await exchange(state, requestOf(shop, intent)))
  await journal.write(outcome)
  if (outcome.outcome !== 'acknowledged') return outcome
  if (intent.action === 'order' && outcome.recordId !== null) cancellable.push(outcome.recordId)
  return outcome
}

/**
 * Repeats the refunds of unknown outcome with their idempotency keys, so that the journal contains the outcome of every
 * refund.
 */
async function settle(state: State): Promise<void> {
  const startedMs = performance.now()
  for (const intent of state.unknown) {
    while ((await act(state, intent)).outcome === 'unknown') {
      if (performance.now() - startedMs > settleMaxMs) return complain(state, 'A refund was not settled in time.')
      await wait(pauseMs)
    }
  }
}

interface Sent {
  readonly method: string
  readonly path: string
  readonly body?: object
  readonly key?: string | null
}

interface Received {
  readonly status: number
  readonly requestId: string | null
  readonly isReplayed: boolean
  readonly recordId: string | null
  readonly code: string | null
  /** Whether the body of an error response says that a retry may succeed. */
  readonly isRetryable: boolean
  readonly retryAfter: string | null
}

function requestOf({ variantId, productId }: Shop, { action, key, orderId, amount }: Intent): Sent {
  const post = (path: string, body: object) => ({ method: 'POST', path, body, key })
  switch (action) {
    case 'refund':
      return post('/refunds', { orderId, amountKobo: amount, reason: 'damaged' })
    case 'customer':
      return post('/customers', { name: 'Adaeze Okafor', email: `${crypto.randomUUID()}@example.com` })
    case 'order':
      return post('/orders', orderOf(variantId))
    case 'cancel':
      return post(`/orders/${orderId}/cancel`, { reason: 'customer' })
    case 'stock':
      return post(`/products/${productId}/variants/${variantId}/inventory`, { delta: amount, reason: 'restock' })
  }
}

/**
 * Response statuses after which it is unknown whether the request took effect: the service was overloaded or
 * unavailable.
 */
const unknownStatuses = [429, 503, 504]

/** Error codes of a conflict with a request that runs at the same time. */
const passingCodes = ['concurrent_update', 'idempotency_in_progress']

function outcomeOf({ number }: Intent, received: Received | undefined): Outcome {
  const known = { is: 'outcome' as const, number }
  const { status = 0, code = null, recordId = null, requestId = null, isReplayed = false } = received ?? {}
  if (status >= 200 && status < 300) return { ...known, outcome: 'acknowledged', recordId, requestId, isReplayed }
  const isUnknown = status === 0 || unknownStatuses.includes(status) || passingCodes.includes(code ?? '')
  const outcome = isUnknown ? 'unknown' : 'rejected'
  return { ...known, outcome, recordId: null, requestId, isReplayed: false }
}

/** Returns undefined when there is no response. */
async function exchange(state: State, sent: Sent): Promise<Received | undefined> {
  const sentMs = performance.now()
  const waitedMs = state.waitedMs()
  const name = `${sent.method} ${sent.path}`
  try {
    const received = await send(state, sent)
    const tookMs = Math.round(performance.now() - sentMs)
    const starvedMs = Math.max(0, state.waitedMs() - waitedMs)
    const isExpected = received.status < 300 || received.status === 409 || unknownStatuses.includes(received.status)
    if (!isExpected) complain(state, `${name} returned ${received.status} ${received.code}.`)
    if (mustSayWhen(received) && !isWholeSeconds(received.retryAfter))
      complain(state, `${name} returned ${received.status} ${received.code} with Retry-After ${received.retryAfter}.`)
    if (!state.mayDisconnect) {
      state.notes.slowestMs = Math.max(state.notes.slowestMs, tookMs)
      if (tookMs - starvedMs > responseMaxMs) complain(state, `${name} returned ${received.status} after ${tookMs} ms.`)
    }
    return received
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
    if (!state.mayDisconnect) complain(state, `${name} had no response: ${cause}`)
    return undefined
  }
}

/**
 * An error response that reports an unknown outcome has no `Retry-After` on purpose: the client must check the record
 * before it repeats the request.
 */
function mustSayWhen({ status, code, isRetryable }: Received): boolean {
  return isRetryable || (unknownStatuses.includes(status) && code !== 'outcome_unknown')
}

function isWholeSeconds(text: string | null): boolean {
  return text !== null && /^[1-9]\d*$/.test(text)
}

async function send({ url, shop }: State, { method, path, body, key }: Sent): Promise<Received> {
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${shop.token}`,
      'Content-Type': 'application/json',
      ...(typeof key === 'string' ? { 'Idempotency-Key': key } : {}),
    },
    body: body === undefined ? null : JSON.stringify(body),
    signal: AbortSignal.timeout(timeoutMs),
  })
  const parsed: { id?: string; error?: { code?: string; retryable?: boolean } } = JSON.parse(await response.text())
  return {
    status: response.status,
    requestId: response.headers.get('request-id'),
    isReplayed: response.headers.get('idempotent-replayed') === 'true',
    recordId: parsed.id ?? null,
    code: parsed.error?.code ?? null,
    isRetryable: parsed.error?.retryable === true,
    retryAfter: response.headers.get('retry-after'),
  }
}

function complain({ notes }: State, complaint: string): void {
  if (notes.complaints.length < complaintsMax) notes.complaints.push(complaint)
}
