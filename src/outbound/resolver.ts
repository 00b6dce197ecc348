import type { LookupAddress } from 'node:dns'
import dns from 'node:dns/promises'
import { LRUCache } from 'lru-cache'
import pTimeout from 'p-timeout'
import { expiryBy } from '../base/cache-expiry.ts'
import { errorCodeOf, FetchError } from './fetch-error.ts'
import { isResolverDown, recordNoAnswer, type Silence, unbroken } from './resolver-health.ts'
import { openSuspectHosts } from './suspect-hosts.ts'

/**
 * Names to addresses, sparing with questions: getaddrinfo blocks a thread of the few the process has, so one name is
 * asked for once at a time, and an answer is used for half a minute.
 *
 * Keeping answers opens no way around the judgement of addresses. What is pinned is not a name but a socket: it is
 * opened to the very addresses that were judged just before, and a kept answer is judged again like a new one. A name
 * that is pointed at our network after its judgement is followed there neither sooner nor later.
 */
export interface Resolver {
  /** Rejects with a FetchError: `dns` is the name's fault, `resolver_down` ours. */
  resolve(host: string): Promise<readonly LookupAddress[]>
}

export type Lookup = (host: string) => Promise<readonly LookupAddress[]>

/** The system's own way, so that what its administrator has configured holds here too. */
export const systemLookup: Lookup = (host) => dns.lookup(host, { all: true, order: 'verbatim' })

interface ResolverOptions {
  readonly lookup: Lookup
  readonly nowMs: () => number
  readonly boundMs?: number
}

/** Half of an attempt's ten seconds: getaddrinfo asks again after five, and a later answer would hardly be in time. */
const defaultBoundMs = 5_000

/** Long enough for a burst of events, short enough that a merchant who moves a server need not wait. */
const keptMs = 30_000

/** Some 2 MB. Whoever has more receivers than this loses the least recent answers first, which costs a look-up. */
const keptMax = 10_000

/** The resolver answered, and the answer is that there is no such name or that it has no address. */
const answers = ['ENOTFOUND', 'ENODATA']

export function openResolver({ lookup, nowMs, boundMs = defaultBoundMs }: ResolverOptions): Resolver {
  const kept = new LRUCache<string, readonly LookupAddress[]>({ max: keptMax, ttl: keptMs, ...expiryBy({ nowMs }) })
  const underWay = new Map<string, Promise<readonly LookupAddress[]>>()
  const doubted = openSuspectHosts({ lookup, nowMs })
  let silence: Silence = unbroken

  const hear = (host: string) => {
    silence = unbroken
    doubted.trust(host)
  }

  const silent = (host: string) => {
    // It was not even asked for, which is nobody's fault out there.
    if (doubted.isInLine(host)) return new FetchError('resolver_down', 'Other look-ups got no answer before this one.')
    silence = recordNoAnswer(silence, host, nowMs())
    doubted.doubt(host)
    if (isResolverDown(silence)) return new FetchError('resolver_down', 'No name can be looked up at present.')
    return new FetchError('dns', `The look-up of ${host} got no answer.`)
  }

  const ask = async (host: string) => {
    try {
      const addresses = await doubted.lookUp(host)
      hear(host)
      kept.set(host, addresses)
      return addresses
    } catch (error) {
      if (!answers.includes(errorCodeOf(error))) throw silent(host)
      hear(host)
      throw new FetchError('dns', `${host} has no address.`)
    } finally {
      underWay.delete(host)
    }
  }

  return {
    resolve: async (host) => {
      const known = kept.get(host)
      if (known !== undefined) return known
      // It stays under way when nobody waits any more: a thread cannot be called back, so no second one is sent after it.
      const answer = underWay.get(host) ?? ask(host)
      underWay.set(host, answer)
      return pTimeout(answer, {
        milliseconds: boundMs,
        fallback: () => {
          throw silent(host)
        },
      })
    },
  }
}
