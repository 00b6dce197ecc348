import type { LookupAddress } from 'node:dns'
import { LRUCache } from 'lru-cache'

/**
 * Isolates hosts whose name servers do not respond. A lookup of such a host occupies a thread for ten seconds or more.
 * Four such lookups at the same time would block all other lookups of the process. Therefore a host whose last lookup
 * got no response is suspect: the lookups of all suspect hosts run one after another, on one thread.
 */
export interface SuspectHosts {
  /**
   * Resolves the addresses of a host. The lookup of a suspect host (one whose last lookup got no response) waits until
   * the earlier queued lookups have ended. The lookup of any other host starts at once.
   */
  lookUp(host: string): Promise<readonly LookupAddress[]>
  isQueued(host: string): boolean
  /** Marks a host as suspect: its next lookups wait in the queue of the suspect hosts. */
  mark(host: string): void
  clear(host: string): void
}

interface SuspectHostsOptions {
  readonly lookup: (host: string) => Promise<readonly LookupAddress[]>
  readonly nowMs: () => number
}

/**
 * Time in milliseconds for which a host stays suspect after a lookup without a response. This time is longer than most
 * delays between retries, so that a dead host is still suspect at its next retry.
 */
const suspectMs = 60 * 60 * 1000

/** Maximum number of suspect hosts, about 2 MB: as many hosts as the resolver caches. */
const suspectsMax = 10_000

export function openSuspectHosts({ lookup, nowMs }: SuspectHostsOptions): SuspectHosts {
  const untilMs = new LRUCache<string, number>({ max: suspectsMax })
  const queued = new Set<string>()
  let lastLookup: Promise<unknown> | undefined

  const enqueue = (host: string) => {
    const start = () => {
      queued.delete(host)
      return lookup(host)
    }
    if (lastLookup !== undefined) queued.add(host)
    const result = lastLookup === undefined ? start() : lastLookup.then(start)
    const ended: Promise<unknown> = result
      .catch(() => undefined)
      .then(() => {
        if (lastLookup === ended) lastLookup = undefined
      })
    lastLookup = ended
    return result
  }

  return {
    lookUp: (host) => (nowMs() < (untilMs.get(host) ?? 0) ? enqueue(host) : lookup(host)),
    isQueued: (host) => queued.has(host),
    mark: (host) => void untilMs.set(host, nowMs() + suspectMs),
    clear: (host) => void untilMs.delete(host),
  }
}
