import type { Endpoint } from '../../../registry/kit/endpoint.ts'
import type { ConcurrencyPolicyName, RateClass, RatePolicyName } from '../../../registry/values/rate-limits.ts'
import { type ConcurrencyKey, openConcurrency, type Slot } from '../../access/limits/concurrency.ts'
import { openPolicies, type Policies } from '../../access/limits/policies.ts'
import type { RateLimiter, Standing } from '../../access/limits/rate-limiter.ts'
import type { MerchantLimits } from '../../base/rate-limits.ts'
import type { Caller } from './caller.ts'
import { acceptedHeaders, concurrencyHeaders, rejectedHeaders } from './rate-headers.ts'
import { Refusal } from './refusal.ts'

/**
 * Decides whether an authenticated request is processed: its rate limits, then its concurrency, then the load of the process.
 * Each rejection costs neither a statement nor the parsing of the body.
 */
export interface Admission {
  /** Admits a request of a token. Throws a Refusal with `Retry-After`. */
  admit(caller: Caller, endpoint: Endpoint): Promise<Admitted>
  /** Admits a request of a member, who has no token and therefore no rate limit. */
  admitInternal(caller: Caller, endpoint: Endpoint): Slot
  /** Ends the reports to other processes. */
  stop(): void
}

export interface Admitted {
  /** The headers of every further response to the request. */
  readonly headers: Readonly<Record<string, string>>
  readonly slot: Slot
}

export interface AdmissionOptions {
  readonly limits: MerchantLimits
  readonly limiter: RateLimiter
}

export function openAdmission({ limits, limiter }: AdmissionOptions): Admission {
  const policiesBy = openPolicies(limits)
  const concurrency = openConcurrency()

  const enter = (keys: readonly (ConcurrencyKey & { readonly name: ConcurrencyPolicyName })[]): Slot => {
    const entered = concurrency.enter(keys)
    if (entered.is === 'entered') return entered.slot
    const { name, max } = keys.find(({ key }) => key === entered.full.key) ?? { name: 'concurrency', ...entered.full }
    throw rateRefusal(
      name,
      `${max} requests are already in progress. Wait for a response first.`,
      concurrencyHeaders(name, max),
    )
  }

  const takeRate = async (caller: Caller, rateClass: RateClass, policies: Policies) => {
    const { merchantId, by } = caller
    const verdict = await limiter.take([
      { key: `${rateClass} ${merchantId}`, policy: policies.ofMerchant[rateClass] },
      { key: `${rateClass} ${by.id}`, policy: policies.ofToken[rateClass] },
    ])
    if (verdict.is === 'accepted') return verdict.standings
    throw rejectionOf(verdict)
  }

  return {
    admit: async (caller, { rateClass }) => {
      const policies = policiesBy(caller.rateLimits)
      const standings = await takeRate(caller, rateClass, policies)
      const headers = acceptedHeaders(standings)
      const { token, merchant } = policies.concurrency
      try {
        const slot = enter([
          { name: 'concurrency', key: caller.by.id, max: token },
          { name: 'concurrency-merchant', key: caller.merchantId, max: merchant },
        ])
        return { headers, slot }
      } catch (error) {
        throw error instanceof Refusal ? error.with(headers) : error
      }
    },
    admitInternal: ({ merchantId, rateLimits }) => {
      const { merchant } = policiesBy(rateLimits).concurrency
      return enter([{ name: 'concurrency-merchant', key: merchantId, max: merchant }])
    },
    stop: () => limiter.stop(),
  }
}

const noSlot: Slot = { leave: () => undefined, whileIdle: (wait) => wait() }

/** The admission of a service whose operator has turned the limits off. */
export const unlimited: Admission = {
  admit: async () => ({ headers: {}, slot: noSlot }),
  admitInternal: () => noSlot,
  stop: () => undefined,
}

/** Returns the refusal of a request that exceeds a rate limit. */
export function rejectionOf({ standing, waitMs }: { readonly standing: Standing; readonly waitMs: number }): Refusal {
  const { name, quota, seconds } = standing.policy
  const message = `More than ${quota} requests in ${seconds} s (policy \`${name}\`). Wait ${secondsOf(waitMs)} s.`
  return rateRefusal(name, message, rejectedHeaders(standing, secondsOf(waitMs)))
}

/** Returns whole seconds, rounded up: a client that waits for them is accepted. */
function secondsOf(waitMs: number): number {
  return Math.max(1, Math.ceil(waitMs / 1000))
}

function rateRefusal(policy: RatePolicyName, message: string, headers: Readonly<Record<string, string>>): Refusal {
  return new Refusal('rate_limited', message, { details: { policy }, headers })
}
