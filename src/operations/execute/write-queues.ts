import type { KeyedRequest } from '../../store/core/idempotency.ts'
import { type KeyedQueue, openKeyedQueue, QueueRefused, type Release } from '../../store/core/keyed-queue.ts'
import type { ValidCall } from './call.ts'
import { Refusal } from './refusal.ts'
import type { RequestLimits } from './request-limits.ts'

/**
 * Queues writes that would wait for the same lock in the database. Writes that wait in these queues use no database
 * connection:
 *
 * - The queue of an idempotency key: the first request runs, and the other requests get its stored response.
 * - The queue of a record: the writes to the record run one after the other, because each locks the record's row.
 *
 * The database's locks still guarantee correctness, also between processes.
 */

/**
 * A write takes milliseconds, so 250 waiting writes finish within seconds; further requests get an error with
 * `Retry-After`. A request may wait in several queues. Its wait limit applies to the sum of these waits.
 */
export function openWriteQueues({ queuedMs }: RequestLimits): KeyedQueue {
  return openKeyedQueue({ atOnce: 1, waitingMax: 250, waitMs: queuedMs })
}

/** All requests enter the queue of their idempotency key before the queue of their record, which prevents deadlocks. */
export async function inQueue<Result>(
  queues: KeyedQueue,
  { call, keyed }: { readonly call: ValidCall; readonly keyed: KeyedRequest | undefined },
  run: () => Promise<Result>,
): Promise<Result> {
  const { caller, params, body } = call
  const releases: Release[] = []
  const enter = async (queue: string, refusal: () => Refusal) => {
    const release = await queues.enter(`${caller.merchantId} ${queue}`).catch((error: unknown) => {
      throw error instanceof QueueRefused ? refusal() : error
    })
    releases.push(release)
  }
  try {
    if (keyed !== undefined) await enter(`key ${keyed.scope.route} ${keyed.scope.key}`, keyInUse)
    // The changed record is the one with the first id in the path, or the order whose id is in the body.
    const record: unknown = Object.values(Object(params))[0] ?? Reflect.get(Object(body), 'orderId')
    if (typeof record === 'string') await enter(`record ${record}`, recordBusy)
    return await run()
  } finally {
    for (const release of releases.toReversed()) release()
  }
}

function keyInUse(): Refusal {
  return new Refusal('idempotency_in_progress', 'A request with this Idempotency-Key is still in progress.')
}

function recordBusy(): Refusal {
  return new Refusal('concurrent_update', 'The request waited too long for a lock that concurrent requests hold.')
}
