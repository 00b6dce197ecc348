/**
 * Counts, for each key, the requests that the process handles at the same time. A key without requests has no entry, so
 * the number of entries is bounded by the open connections.
 */
export interface Concurrency {
  /** Returns the first key (of a token or a merchant) that has reached its limit of concurrent requests. */
  fullOf<Key extends ConcurrencyKey>(keys: readonly Key[]): Key | undefined
  /**
   * Counts a request as in progress for each of its keys, even if the number then exceeds the limit of a key. The
   * caller calls leave() with the same keys when the request ends.
   */
  enter(keys: readonly ConcurrencyKey[]): void
  leave(keys: readonly ConcurrencyKey[]): void
  total(): number
  count(key: string): number
}

export interface ConcurrencyKey {
  readonly key: string
  readonly max: number
}

export function openConcurrency(): Concurrency {
  const counts = new Map<string, number>()
  let total = 0
  const count = (key: string) => counts.get(key) ?? 0
  return {
    fullOf: (keys) => keys.find(({ key, max }) => count(key) >= max),
    enter: (keys) => {
      total += 1
      for (const { key } of keys) counts.set(key, count(key) + 1)
    },
    leave: (keys) => {
      total -= 1
      for (const { key } of keys) {
        const left = count(key) - 1
        if (left === 0) counts.delete(key)
        else counts.set(key, left)
      }
    },
    total: () => total,
    count,
  }
}
