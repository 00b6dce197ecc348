import { LRUCache } from 'lru-cache'

/** The idempotency keys that a process has seen in use, each with its merchant and route. */
export type UsedKeys = Pick<LRUCache<string, true>, 'has' | 'set'>

/**
 * Maximum number of used idempotency keys that a process remembers. Clients repeat fewer requests than this after a
 * timeout or a restart.
 */
const usedKeysMax = 10_000

/**
 * Opens the set of used idempotency keys of a process. For a key in the set, the stored response is read before a
 * transaction begins. The set may lack keys that were used: for such a key, the transaction itself finds the stored
 * response.
 */
export function openUsedKeys(): UsedKeys {
  return new LRUCache<string, true>({ max: usedKeysMax })
}
