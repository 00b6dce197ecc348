/**
 * Counts the requests that the process handles at the same time, per key. A key without requests has no entry, so the
 * counts are bounded by the open connections.
 */
export interface Concurrency {
  /**
   * Counts a request for each of its keys. If one of the keys has reached its limit, counts the request for none of
   * them and returns the key that has reached its limit.
   */
  enter(keys: readonly ConcurrencyKey[]): { readonly is: 'entered'; readonly slot: Slot } | Full
  /** Returns the number of requests that the process handles now. */
  total(): number
  /** Returns the number of requests that the process handles now for a key. */
  count(key: string): number
}

export interface ConcurrencyKey {
  readonly key: string
  readonly max: number
}

export interface Full {
  readonly is: 'full'
  readonly full: ConcurrencyKey
}

/** One counted request, which uses one of the concurrent requests that each of its keys allows. */
export interface Slot {
  /** Stops counting the request as a concurrent request. A second call does nothing. */
  leave(): void
  /**
   * Runs a wait, such as a long poll, during which the request is not counted as a concurrent request. Afterwards it is
   * counted again, even above the limit.
   */
  whileIdle<Result>(wait: () => Promise<Result>): Promise<Result>
}

export function openConcurrency(): Concurrency {
  const counts = new Map<string, number>()
  let total = 0
  const add = (keys: readonly ConcurrencyKey[], change: 1 | -1) => {
    total += change
    for (const { key } of keys) {
      const count = (counts.get(key) ?? 0) + change
      if (count === 0) counts.delete(key)
      else counts.set(key, count)
    }
  }
  const slotOf = (keys: readonly ConcurrencyKey[]): Slot => {
    let hasLeft = false
    add(keys, 1)
    return {
      leave: () => {
        if (hasLeft) return
        hasLeft = true
        add(keys, -1)
      },
      whileIdle: async (wait) => {
        add(keys, -1)
        try {
          return await wait()
        } finally {
          add(keys, 1)
        }
      },
    }
  }
  return {
    enter: (keys) => {
      const full = keys.find(({ key, max }) => (counts.get(key) ?? 0) >= max)
      return full === undefined ? { is: 'entered', slot: slotOf(keys) } : { is: 'full', full }
    },
    total: () => total,
    count: (key) => counts.get(key) ?? 0,
  }
}
