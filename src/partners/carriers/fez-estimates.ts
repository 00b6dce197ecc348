import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Clock } from '../../base/clock.ts'
import { expiryBy } from '../../base/clock.ts'
import type { CarrierAccount, QuoteRequest } from './carrier.ts'
import { checkEnvelope } from './classify-response.ts'
import { type Eta, readEta } from './estimate-text.ts'
import type { FezCaller } from './fez-session.ts'

export type FezEstimates = (
  account: CarrierAccount,
  request: QuoteRequest,
  signal: AbortSignal,
) => Promise<Eta | undefined>

/** Maximum number of cached routes: every pair of the 36 states and the Federal Capital Territory. */
const routesMax = 37 * 37

/** Time for which a delivery estimate is cached: estimates depend only on the route and change rarely. */
const routeLifeMs = 24 * 3_600_000

const maybeText = z.string().optional().catch(undefined)

/**
 * Unverified format: Fez's documentation shows the text of an estimate, such as `2 - 5 day(s)`, but not the name of the
 * field that contains this text.
 */
const Estimate = z.looseObject({
  eta: maybeText,
  data: z
    .union([z.string(), z.looseObject({ eta: maybeText })])
    .optional()
    .catch(undefined),
  description: maybeText,
})

/** The returned function gives undefined if Fez has no estimate, because an offer is useful without one. */
export function openFezEstimates(ask: FezCaller, clock: Clock): FezEstimates {
  const known = new LRUCache<string, Eta>({ max: routesMax, ttl: routeLifeMs, ...expiryBy(clock) })
  return async (account, { pickup, dropoff }, signal) => {
    const route = `${pickup.state} to ${dropoff.state}`
    const stored = known.get(route)
    if (stored !== undefined) return stored
    const body = { delivery_type: 'local', pick_up_state: pickup.state, drop_off_state: dropoff.state }
    const response = await ask(
      account,
      { method: 'POST', path: '/delivery-time-estimate', body, isIdempotent: true },
      signal,
    )
    if (response.is === 'refused') return undefined
    const checked = checkEnvelope(response)
    const eta = checked.is === 'answered' ? etaIn(checked.body) : undefined
    if (eta !== undefined) known.set(route, eta)
    return eta
  }
}

function etaIn(answer: object): Eta | undefined {
  const { eta, data, description } = Estimate.parse(answer)
  return readEta(eta ?? (typeof data === 'string' ? data : data?.eta) ?? description)
}
