import { LRUCache } from 'lru-cache'

/** The idempotency keys that a process has seen in use, each with its merchant and route. */
export type UsedKeys = Pick<LRUCache<string, true>, 'has' | 'set'>

/** Maximum number of used keys that a process remembers: more than its clients repeat after timeouts and restarts. */
const usedKeysMax = 10_000

/**
 * Opens the set of used keys of a process. For a key in the set, the stored response is read before a transaction
 * begins. The set is only a hint: for any other used key, the transaction finds the stored response.
 */
export function openUsedKeys(): UsedKeys {
  return new LRUCache<string, true>({ max: usedKeysMax })
}
