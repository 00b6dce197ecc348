import type { Endpoint } from '../../../registry/kit/endpoint.ts'
import type { ConcurrencyPolicyName, RateClass, RatePolicyName } from '../../../registry/values/rate-limits.ts'
import { type ConcurrencyKey, openConcurrency } from '../../access/limits/concurrency.ts'
import { openPolicies, type Policies } from '../../access/limits/policies.ts'
import type { RateLimiter, Standing, Use } from '../../access/limits/rate-limiter.ts'
import type { MerchantLimits } from '../../base/rate-limits.ts'
import type { Slot } from '../../operations/execute/call.ts'
import type { Caller } from '../../operations/execute/caller.ts'
import { Refusal } from '../../operations/execute/refusal.ts'
import type { Importance, LoadShedder } from './load-shedder.ts'
import { acceptedHeaders, concurrencyHeaders, rejectedHeaders } from './rate-headers.ts'

/**
 * Decides whether an authenticated request is processed. Before the body arrives, it checks the rate limits and the
 * load of the process. Once the body has arrived, it checks the load again, and the number of concurrent requests. A
 * rejection costs neither a database statement nor the parsing of the body.
 */
export interface Admission {
  /**
   * Checks the load, and counts a request against its rate limits. Returns the rate limit headers, which every response
   * to the request has. Throws a Refusal if the request would not be admitted now.
   */
  admit(caller: Caller, endpoint: Endpoint): Promise<Headers>
  /**
   * Admits a request whose body has arrived, and returns its concurrency slot. Throws a Refusal with `Retry-After` if
   * the request cannot be admitted.
   */
  enter(caller: Caller, endpoint: Endpoint): Slot
  /** Admits a call of a member, who has no token and therefore no rate limit. */
  admitMember(caller: Caller, endpoint: Endpoint): Slot
  /** Stops the rate limiter from reporting its counts to other processes. */
  stop(): void
}

type Headers = Readonly<Record<string, string>>

export interface AdmissionOptions {
  /** Undefined when the operator has disabled rate limits. */
  readonly rates: { readonly limits: MerchantLimits; readonly limiter: RateLimiter } | undefined
  /** Undefined in a process that rejects no request because of its load. */
  readonly load: LoadShedder | undefined
}

export function openAdmission({ rates, load }: AdmissionOptions): Admission {
  const policiesBy = rates && openPolicies(rates.limits)
  const limiter = rates?.limiter
  const { excess, enter } = openCapacity(load)
  return {
    admit: async (caller, endpoint) => {
      const policies = policiesBy?.(caller.rateLimits)
      const uses = policies === undefined ? [] : usesOf(policies, caller, endpoint.rateClass)
      const rejected = limiter?.rejection(uses)
      if (rejected !== undefined) throw rejectionOf(rejected)
      const refusal = excess(caller, endpoint, keysOf(caller, policies?.concurrency))
      // A request that is rejected because of an overload or of too many concurrent requests is not counted against the
      // rate limits.
      if (refusal !== undefined) throw refusal.with({ headers: acceptedHeaders(limiter?.standings(uses) ?? []) })
      const verdict = await limiter?.take(uses)
      if (verdict?.is === 'rejected') throw rejectionOf(verdict)
      return acceptedHeaders(verdict?.standings ?? [])
    },
    enter: (caller, endpoint) => enter(caller, endpoint, keysOf(caller, policiesBy?.(caller.rateLimits).concurrency)),
    admitMember: (caller, endpoint) => {
      const [, ofMerchant] = keysOf(caller, policiesBy?.(caller.rateLimits).concurrency)
      return enter(caller, endpoint, [ofMerchant])
    },
    stop: () => limiter?.stop(),
  }
}

/**
 * Returns the functions that enforce the capacity of the process and the concurrency limits of tokens and merchants.
 */
function openCapacity(load: LoadShedder | undefined) {
  const concurrency = openConcurrency()
  let partnerCalls = 0

  /** Returns the refusal of a request that exceeds the capacity of the process or the concurrency of its caller. */
  const excess = ({ merchantId }: Caller, endpoint: Endpoint, keys: readonly NamedKey[]): Refusal | undefined => {
    const importance = importanceOf(endpoint, concurrency.count(merchantId))
    // Requests that call carriers or payment providers spend most of their time waiting for the response. They are not
    // counted for the limit of all other requests, because they would use up this limit.
    const inProgress = concurrency.total() - (endpoint.callsPartners === true ? 0 : partnerCalls)
    if (load?.rejects({ importance, inProgress }) === true)
      return new Refusal('service_unavailable', 'The service is overloaded. Nothing was done.', { isOverLimit: true })
    const full = concurrency.fullOf(keys)
    return full && concurrencyRefusal(full)
  }

  const enter = (caller: Caller, endpoint: Endpoint, keys: readonly NamedKey[]): Slot => {
    const refusal = excess(caller, endpoint, keys)
    if (refusal !== undefined) throw refusal
    const calls = endpoint.callsPartners === true ? 1 : 0
    partnerCalls += calls
    concurrency.enter(keys)
    load?.accept()
    return {
      leave: () => {
        partnerCalls -= calls
        concurrency.leave(keys)
        load?.end()
      },
      whileIdle: (wait) => {
        concurrency.leave(keys)
        return wait().finally(() => concurrency.enter(keys))
      },
    }
  }
  return { excess, enter }
}

type NamedKey = ConcurrencyKey & { readonly name: ConcurrencyPolicyName }

/** The limits are infinite if the service runs without rate limits. */
function keysOf({ by, merchantId }: Caller, limits: Policies['concurrency'] = unlimited): [NamedKey, NamedKey] {
  return [
    { name: 'concurrency', key: by.id, max: limits.token },
    { name: 'concurrency-merchant', key: merchantId, max: limits.merchant },
  ]
}

const unlimited: Policies['concurrency'] = { token: Number.POSITIVE_INFINITY, merchant: Number.POSITIVE_INFINITY }

function usesOf({ ofMerchant, ofToken }: Policies, { merchantId, by }: Caller, rateClass: RateClass): readonly Use[] {
  return [
    { key: `${rateClass} ${merchantId}`, policy: ofMerchant[rateClass] },
    { key: `${rateClass} ${by.id}`, policy: ofToken[rateClass] },
  ]
}

function concurrencyRefusal({ name, max }: NamedKey): Refusal {
  const message = `${max} requests are already in progress. Wait for a response first.`
  return rateRefusal(name, message, concurrencyHeaders(name, max))
}

/** Number of requests in progress up to which a merchant is not regarded as a cause of the overload. */
const quietMax = 4

function importanceOf({ kind, priority }: Endpoint, inProgress: number): Importance {
  if (priority === 'high') return 'high'
  return kind === 'write' || inProgress <= quietMax ? 'normal' : 'low'
}

export function rejectionOf({ standing, waitMs }: { readonly standing: Standing; readonly waitMs: number }): Refusal {
  const { name, quota, seconds } = standing.policy
  const message = `More than ${quota} requests in ${seconds} s (policy \`${name}\`). Wait ${secondsOf(waitMs)} s.`
  return rateRefusal(name, message, rejectedHeaders(standing, secondsOf(waitMs)))
}

/** The seconds are rounded up, so that a retry after this time is accepted. */
function secondsOf(waitMs: number): number {
  return Math.max(1, Math.ceil(waitMs / 1000))
}

function rateRefusal(policy: RatePolicyName, message: string, headers: Readonly<Record<string, string>>): Refusal {
  return new Refusal('rate_limited', message, { details: { policy }, headers, isOverLimit: true })
}
