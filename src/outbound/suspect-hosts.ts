import type { LookupAddress } from 'node:dns'
import { LRUCache } from 'lru-cache'

/**
 * A name whose servers keep silent holds a thread for ten seconds or more, and four of them would hold all there are: nobody
 * else's name could be looked up. So those that were silent before share one thread, in turns, until they answer again.
 * One that only had an accident loses nothing by it.
 */
export interface SuspectHosts {
  /** At once, or when those in front of it have had their turn. */
  lookUp(host: string): Promise<readonly LookupAddress[]>
  /** It waits for its turn. */
  isInLine(host: string): boolean
  doubt(host: string): void
  trust(host: string): void
}

interface DoubtedOptions {
  readonly lookup: (host: string) => Promise<readonly LookupAddress[]>
  readonly nowMs: () => number
}

/** Longer than the pauses between most retries, so that a dead name comes back to the line and not beside it. */
const doubtedMs = 60 * 60 * 1000

/** Some 2 MB, as many as the resolver keeps answers. */
const doubtedMax = 10_000

export function openSuspectHosts({ lookup, nowMs }: DoubtedOptions): SuspectHosts {
  const untilMs = new LRUCache<string, number>({ max: doubtedMax })
  const line = new Set<string>()
  let lastTurn: Promise<unknown> | undefined

  const takeTurn = (host: string) => {
    const begin = () => {
      line.delete(host)
      return lookup(host)
    }
    if (lastTurn !== undefined) line.add(host)
    const turn = lastTurn === undefined ? begin() : lastTurn.then(begin)
    const ended: Promise<unknown> = turn
      .catch(() => undefined)
      .then(() => {
        if (lastTurn === ended) lastTurn = undefined
      })
    lastTurn = ended
    return turn
  }

  return {
    lookUp: (host) => (nowMs() < (untilMs.get(host) ?? 0) ? takeTurn(host) : lookup(host)),
    isInLine: (host) => line.has(host),
    doubt: (host) => void untilMs.set(host, nowMs() + doubtedMs),
    trust: (host) => void untilMs.delete(host),
  }
}
