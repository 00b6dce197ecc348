import type { LookupAddress } from 'node:dns'
import dns from 'node:dns/promises'
import { LRUCache } from 'lru-cache'
import pTimeout from 'p-timeout'
import { expiryBy } from '../base/clock.ts'
import { errorCodeOf, FetchError } from './fetch-error.ts'
import { type FailureStreak, isResolverDown, noFailures, recordNoResponse } from './resolver-health.ts'
import { openSuspectHosts } from './suspect-hosts.ts'

/**
 * Resolves host names with few lookups, because each getaddrinfo call blocks one of the process's few threads. A host
 * has one lookup at a time, and its result is cached for half a minute.
 *
 * Caching does not bypass the address policy: cached addresses are checked again before each connection, and the socket
 * connects only to addresses that were just checked.
 */
export interface Resolver {
  /**
   * Rejects with a FetchError. Its code is `dns` if the host name cannot be resolved, and `resolver_down` if the DNS
   * resolver itself does not respond.
   */
  resolve(host: string): Promise<readonly LookupAddress[]>
}

export type Lookup = (host: string) => Promise<readonly LookupAddress[]>

export const systemLookup: Lookup = (host) => dns.lookup(host, { all: true, order: 'verbatim' })

interface ResolverOptions {
  readonly lookup: Lookup
  readonly nowMs: () => number
  readonly timeoutMs?: number
}

/**
 * Timeout of a DNS lookup: half of an attempt's ten seconds. getaddrinfo retries after five seconds, and a later result
 * would rarely be in time.
 */
const defaultTimeoutMs = 5_000

/**
 * Cache lifetime of DNS results in milliseconds: long enough for a burst of events, short enough for a merchant who
 * moves a server.
 */
const cachedMs = 30_000

/**
 * Maximum number of cached DNS results, about 2 MB. Beyond it, the least recently used entries are evicted and looked
 * up again.
 */
const cachedMax = 10_000

/** Error codes of a negative DNS response: the name does not exist or has no address. */
const negativeResponses = ['ENOTFOUND', 'ENODATA']

export function openResolver({ lookup, nowMs, timeoutMs = defaultTimeoutMs }: ResolverOptions): Resolver {
  const cache = new LRUCache<string, readonly LookupAddress[]>({
    max: cachedMax,
    ttl: cachedMs,
    ...expiryBy({ nowMs }),
  })
  const running = new Map<string, Promise<readonly LookupAddress[]>>()
  const suspects = openSuspectHosts({ lookup, nowMs })
  let streak: FailureStreak = noFailures

  const recordResponse = (host: string) => {
    streak = noFailures
    suspects.clear(host)
  }

  const recordFailure = (host: string) => {
    // A queued DNS lookup was never sent, so its host is not the cause of the missing response.
    if (suspects.isQueued(host))
      return new FetchError('resolver_down', 'The resolver has not responded to earlier DNS lookups.')
    streak = recordNoResponse(streak, host, nowMs())
    suspects.mark(host)
    if (isResolverDown(streak)) return new FetchError('resolver_down', 'The DNS resolver is not responding.')
    return new FetchError('dns', `The DNS lookup of ${host} got no response.`)
  }

  const lookUp = async (host: string) => {
    try {
      const addresses = await suspects.lookUp(host)
      recordResponse(host)
      cache.set(host, addresses)
      return addresses
    } catch (error) {
      if (!negativeResponses.includes(errorCodeOf(error))) throw recordFailure(host)
      recordResponse(host)
      throw new FetchError('dns', `${host} has no address.`)
    } finally {
      running.delete(host)
    }
  }

  return {
    resolve: async (host) => {
      const cached = cache.get(host)
      if (cached !== undefined) return cached
      // After a timeout the lookup stays registered: its thread cannot be cancelled, and a second lookup of the host
      // must not start.
      const lookup = running.get(host) ?? lookUp(host)
      running.set(host, lookup)
      return pTimeout(lookup, {
        milliseconds: timeoutMs,
        fallback: () => {
          throw recordFailure(host)
        },
      })
    },
  }
}
