import { type DispatchStrategy, type ServiceLevel, serviceLevels } from '../../../registry/logistics/shipment-states.ts'
import { amountMaxKobo } from '../../../registry/values/limits.ts'
import type { Kobo, OfferId } from '../../../registry/values/vocabulary.ts'

/**
 * Chooses the offers that are attempted for a dispatch, and their order. Quotes rank their offers with the same
 * functions.
 */

export interface RankedOffer {
  readonly offerId: OfferId | null
  readonly carrier: string
  readonly serviceLevel: ServiceLevel
  readonly priceKobo: Kobo
  readonly dropoffMinutes: { readonly p50: number; readonly p90: number } | null
  readonly reliability: number
}

/**
 * Value of a minute of delivery time: 20 naira. It is derived from the price differences between faster and slower
 * services.
 */
const minuteValueKobo = 2_000

/** Average time in minutes until a failed dispatch attempt is detected and the next attempt starts. */
const failureMinutes = 5

/**
 * Assumed delivery time in minutes for a carrier that gives no estimate. The time is long, so that the carrier ranks as
 * slow.
 */
const unknownMinutes = 240

/**
 * Returns the expected cost in kobo of requesting an offer first. It is the sum of the offer's price, the value of its
 * delivery time and its expected cost of failure. The expected cost of failure is the probability of failure times the
 * sum of two amounts: the value of the lost time, and the price difference `gapKobo` to the next offer.
 */
export function expectedCostKobo(offer: RankedOffer, gapKobo: number): number {
  const minutes = offer.dropoffMinutes === null ? unknownMinutes : meanMinutes(offer.dropoffMinutes)
  const failing = (1 - offer.reliability) * (minuteValueKobo * failureMinutes + gapKobo)
  return offer.priceKobo + minuteValueKobo * minutes + failing
}

/**
 * Estimates the mean of a right-skewed distribution: the median plus a third of the distance to the 90th percentile.
 */
function meanMinutes({ p50, p90 }: { readonly p50: number; readonly p90: number }): number {
  return p50 + (p90 - p50) / 3
}

/**
 * The expected cost of an offer depends on the difference between its price and the next higher price of the offers.
 */
export function expectedCostAmong<Offer extends RankedOffer>(offers: readonly Offer[]): (offer: Offer) => number {
  const prices = offers.map(({ priceKobo }) => priceKobo).sort((a, b) => a - b)
  return (offer) => {
    const next = prices.find((price) => price > offer.priceKobo) ?? offer.priceKobo
    return expectedCostKobo(offer, next - offer.priceKobo)
  }
}

export function rankByValue<Offer extends RankedOffer>(offers: readonly Offer[]): Offer[] {
  return sorted(offers, expectedCostAmong(offers))
}

export interface PlanRules {
  readonly strategy: DispatchStrategy
  /** Null allows all carriers. */
  readonly carriers: readonly string[] | null
  readonly excludeCarriers: readonly string[] | null
  readonly maxPriceKobo: Kobo | null
  readonly maxPriceIncreaseKobo: Kobo | null
  /**
   * The requested service levels. If none is requested, the strategy `best_value` prefers the level of the first offer,
   * and any other strategy prefers the fastest level that is offered.
   */
  readonly serviceLevels?: readonly ServiceLevel[] | null
}

export interface Plan<Offer> {
  /** Offers within the price ceiling, in the order in which they are attempted. */
  readonly offers: readonly Offer[]
  /**
   * Offers above the price ceiling. They are stored as skipped attempts, which show the merchant the effect of a higher
   * ceiling.
   */
  readonly overCeiling: readonly Offer[]
  readonly ceilingKobo: number
  /** The lowest price of all allowed offers, whether within or above the price ceiling. */
  readonly cheapestKobo: Kobo | undefined
}

/** The offer with `firstOfferId` comes first, regardless of the strategy. */
export function planDispatch<Offer extends RankedOffer>(
  offers: readonly Offer[],
  rules: PlanRules,
  firstOfferId?: OfferId,
): Plan<Offer> {
  const { carriers, excludeCarriers } = rules
  const allowed = offers.filter(
    ({ carrier }) => (carriers?.includes(carrier) ?? true) && !(excludeCarriers?.includes(carrier) ?? false),
  )
  const ordered = orderedOffers(allowed, rules, firstOfferId)
  const ceilingKobo = priceCeilingKobo(ordered, rules)
  return {
    offers: ordered.filter(({ priceKobo }) => priceKobo <= ceilingKobo),
    overCeiling: ordered.filter(({ priceKobo }) => priceKobo > ceilingKobo),
    ceilingKobo,
    cheapestKobo: sorted(allowed, ({ priceKobo }) => priceKobo)[0]?.priceKobo,
  }
}

function orderedOffers<Offer extends RankedOffer>(
  allowed: readonly Offer[],
  rules: PlanRules,
  firstOfferId: OfferId | undefined,
): Offer[] {
  const first = allowed.filter(({ offerId }) => offerId !== null && offerId === firstOfferId)
  const hasPreference = rules.strategy !== 'best_value' || (rules.serviceLevels ?? null) !== null
  const tiers = hasPreference ? [allowed] : tiersOf(allowed, rules, first[0]?.serviceLevel)
  const ranked = tiers.flatMap((tier) => rankBy(rules.strategy, rules.carriers ?? [], rankByValue(tier)))
  return [...first, ...ranked.filter((offer) => !first.includes(offer))]
}

/** Minimum number of carriers for failover. */
const carriersMin = 2

/**
 * Returns the offers grouped by service level, starting with the chosen level, or else the fastest level within the
 * price ceiling. Further levels are added until two carriers have offers within the ceiling. Faster levels are added
 * before slower ones, and levels close to the first level before more distant ones.
 */
function tiersOf<Offer extends RankedOffer>(
  offers: readonly Offer[],
  { maxPriceKobo }: PlanRules,
  chosen: ServiceLevel | undefined,
): Offer[][] {
  const isAffordable = ({ priceKobo }: Offer) => maxPriceKobo === null || priceKobo <= maxPriceKobo
  const hasOffer = (level: ServiceLevel) => offers.some((offer) => offer.serviceLevel === level && isAffordable(offer))
  const first = Math.max(0, serviceLevels.indexOf(chosen ?? serviceLevels.find(hasOffer) ?? serviceLevels[0]))
  const levelsInOrder = [...serviceLevels.slice(0, first + 1).reverse(), ...serviceLevels.slice(first + 1)]
  const tiers: Offer[][] = []
  for (const level of levelsInOrder) {
    const carriers = tiers.flat().filter(isAffordable)
    if (new Set(carriers.map(({ carrier }) => carrier)).size >= carriersMin) break
    tiers.push(offers.filter(({ serviceLevel }) => serviceLevel === level))
  }
  return tiers
}

/** The sort is stable, so offers to which the strategy gives the same rank stay ordered by value. */
function rankBy<Offer extends RankedOffer>(
  strategy: DispatchStrategy,
  carriers: readonly string[],
  byValue: Offer[],
): Offer[] {
  switch (strategy) {
    case 'best_value':
      return byValue
    case 'cheapest':
      return sorted(byValue, ({ priceKobo }) => priceKobo)
    case 'fastest':
      return sorted(byValue, ({ dropoffMinutes }) => dropoffMinutes?.p50 ?? unknownMinutes)
    case 'most_reliable':
      return sorted(byValue, ({ reliability }) => -reliability)
    case 'preferred':
      return sorted(byValue, ({ carrier }) =>
        carriers.includes(carrier) ? carriers.indexOf(carrier) : carriers.length,
      )
  }
}

function sorted<Offer>(offers: readonly Offer[], by: (offer: Offer) => number): Offer[] {
  return [...offers].sort((a, b) => by(a) - by(b))
}

/**
 * Share by which the default price ceiling exceeds the price: 1.5 times the price covers the price differences between
 * carriers of the same service level. The ceiling is rounded up to a multiple of 50 naira.
 */
const increaseShare = 0.5
const stepKobo = 5_000

/**
 * A limit in the request determines the price ceiling. Otherwise, the ceiling is the higher of 1.5 times the first
 * offer's price (rounded up) and the price of the next carrier, so that failover to another carrier is always possible.
 */
function priceCeilingKobo([first, ...others]: readonly RankedOffer[], rules: PlanRules): number {
  const { maxPriceKobo, maxPriceIncreaseKobo } = rules
  if (maxPriceKobo !== null) return maxPriceKobo
  if (first === undefined) return 0
  // The price plus the allowed increase is limited to the maximum amount of the API.
  if (maxPriceIncreaseKobo !== null) return Math.min(first.priceKobo + maxPriceIncreaseKobo, amountMaxKobo)
  const next = others.find(({ carrier }) => carrier !== first.carrier)
  const raisedKobo = first.priceKobo + Math.ceil((first.priceKobo * increaseShare) / stepKobo) * stepKobo
  return Math.min(Math.max(raisedKobo, next?.priceKobo ?? 0), amountMaxKobo)
}
