import { type KeyedQueue, openKeyedQueue, QueueRefused, type Release } from '../../store/core/keyed-queue.ts'
import type { KeyedRequest } from './idempotency.ts'
import { Refusal } from './refusal.ts'
import type { ValidRequest } from './request.ts'

/**
 * Writes that would wait for one another in the database wait here instead, where waiting costs no connection:
 *
 *   Idempotency-Key ─── requests with one key, of which all but the first replay
 *   record ─── writes to one record, which its row lock lets through one at a time anyway
 *
 * The database's locks still decide; they hold between processes, too.
 */

/**
 * One write ends in some milliseconds, so that 250 end within seconds; whoever comes later has a better chance after
 * `Retry-After`. The wait is that for a lock.
 */
export function openWriteQueues(): KeyedQueue {
  return openKeyedQueue({ atOnce: 1, waitingMax: 250, waitMs: 4_000 })
}

/** Always in the same order, key before record, so that no two requests wait for each other. */
export async function inQueue<Result>(
  turns: KeyedQueue,
  { request, keyed }: { readonly request: ValidRequest; readonly keyed: KeyedRequest | undefined },
  run: () => Promise<Result>,
): Promise<Result> {
  const { merchantId } = request.caller
  const endings: Release[] = []
  const enter = async (queue: string, refusal: () => Refusal) => {
    const endTurn = await turns.enter(`${merchantId} ${queue}`).catch((error: unknown) => {
      throw error instanceof QueueRefused ? refusal() : error
    })
    endings.push(endTurn)
  }
  try {
    if (keyed !== undefined) await enter(`key ${keyed.scope.route} ${keyed.scope.key}`, twinRunning)
    const record = recordOf(request)
    if (record !== undefined) await enter(`record ${record}`, recordBusy)
    return await run()
  } finally {
    for (const endTurn of endings.toReversed()) endTurn()
  }
}

/** The record a write is about: the first one of its path, or the order that its body names. */
function recordOf({ params, body }: ValidRequest): string | undefined {
  const named: unknown = Object.values(Object(params))[0] ?? Reflect.get(Object(body), 'orderId')
  return typeof named === 'string' ? named : undefined
}

function twinRunning(): Refusal {
  return new Refusal('idempotency_in_progress', 'A request with this Idempotency-Key is still running.')
}

function recordBusy(): Refusal {
  return new Refusal('concurrent_update', 'Other requests kept the record busy for too long.')
}
