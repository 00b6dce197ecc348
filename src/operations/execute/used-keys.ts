import { LRUCache } from 'lru-cache'

/** The idempotency keys that a process has seen in use, each with its merchant and route. */
export type UsedKeys = Pick<LRUCache<string, true>, 'has' | 'set'>

/** Maximum number of used keys that a process remembers: more than its clients repeat after timeouts and restarts. */
const usedKeysMax = 10_000

/**
 * Opens the used keys of a process. For a key among them, the stored response is read before a transaction begins. They
 * are only a hint: the transaction finds the stored responses of all other keys.
 */
export function openUsedKeys(): UsedKeys {
  return new LRUCache<string, true>({ max: usedKeysMax })
}
