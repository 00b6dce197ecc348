import { type DispatchStrategy, type ServiceLevel, serviceLevels } from '../../../registry/logistics/shipment-states.ts'
import { amountMaxKobo } from '../../../registry/values/limits.ts'
import type { Kobo, OfferId } from '../../../registry/values/vocabulary.ts'

/** In which order offers are tried, and which are not tried at all (design, logistics 3.2). Pure, and the same for a quote. */

export interface RankedOffer {
  readonly offerId: OfferId | null
  readonly carrier: string
  readonly serviceLevel: ServiceLevel
  readonly priceKobo: Kobo
  readonly dropoffMinutes: { readonly p50: number; readonly p90: number } | null
  readonly reliability: number
}

/** Twenty naira: what a shop gives for a minute sooner, by what faster services cost more. */
const minuteValueKobo = 2_000

/** Until a carrier’s refusal or silence is known and the next one is asked, on the average of good and bad ends. */
const failureMinutes = 5

/** A carrier that says nothing of its time is taken for a slow one. */
const unknownMinutes = 240

/**
 * What it costs to begin with an offer, in kobo: its price, the minutes until it arrives, and with the odds that it fails
 * the minutes lost and the step to the next cheapest.
 */
export function expectedCostKobo(offer: RankedOffer, gapKobo: number): number {
  const minutes = offer.dropoffMinutes === null ? unknownMinutes : meanMinutes(offer.dropoffMinutes)
  const failing = (1 - offer.reliability) * (minuteValueKobo * failureMinutes + gapKobo)
  return offer.priceKobo + minuteValueKobo * minutes + failing
}

/** Of a lopsided spread the mean lies above the median, by about a third of the way to the ninth decile. */
function meanMinutes({ p50, p90 }: { readonly p50: number; readonly p90: number }): number {
  return p50 + (p90 - p50) / 3
}

/** The same of an offer beside all that may be tried. */
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
  /** Null lets all be asked. */
  readonly carriers: readonly string[] | null
  readonly excludeCarriers: readonly string[] | null
  readonly maxPriceKobo: Kobo | null
  readonly maxPriceIncreaseKobo: Kobo | null
  /** The levels the request names. Without any, `best_value` keeps to the level of the first choice: the fastest offered. */
  readonly serviceLevels?: readonly ServiceLevel[] | null
}

export interface Plan<Offer> {
  /** Those that cost no more than they may, in the order in which they are tried. */
  readonly offers: readonly Offer[]
  /** Those that cost more, and are passed over when nobody else is left: whoever reads the attempts sees what more money would do. */
  readonly tooDear: readonly Offer[]
  readonly ceilingKobo: number
  /** Of all that would have been tried, too dear or not. */
  readonly cheapestKobo: Kobo | undefined
}

/** The offer of the first id is tried first, whatever the strategy says. */
export function planDispatch<Offer extends RankedOffer>(
  offers: readonly Offer[],
  rules: PlanRules,
  firstOfferId?: OfferId,
): Plan<Offer> {
  const { carriers, excludeCarriers } = rules
  const allowed = offers.filter(
    ({ carrier }) => (carriers?.includes(carrier) ?? true) && !(excludeCarriers?.includes(carrier) ?? false),
  )
  const ordered = inOrder(allowed, rules, firstOfferId)
  const ceilingKobo = priceCeilingKobo(ordered, rules)
  return {
    offers: ordered.filter(({ priceKobo }) => priceKobo <= ceilingKobo),
    tooDear: ordered.filter(({ priceKobo }) => priceKobo > ceilingKobo),
    ceilingKobo,
    cheapestKobo: sorted(allowed, ({ priceKobo }) => priceKobo)[0]?.priceKobo,
  }
}

/** Those that are tried, in the order in which they are. */
function inOrder<Offer extends RankedOffer>(
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

/** Failover takes two: a carrier that refuses, and another one. */
const carriersMin = 2

/**
 * Every offer of one level, and while those within the price limit are of one carrier only, those of the next level: first
 * the faster ones, which are as good, then the slower ones, the nearest first. Without a chosen level it is the fastest
 * that the limit can pay for.
 */
function tiersOf<Offer extends RankedOffer>(
  offers: readonly Offer[],
  { maxPriceKobo }: PlanRules,
  chosen: ServiceLevel | undefined,
): Offer[][] {
  const isAffordable = ({ priceKobo }: Offer) => maxPriceKobo === null || priceKobo <= maxPriceKobo
  const hasOffer = (level: ServiceLevel) => offers.some((offer) => offer.serviceLevel === level && isAffordable(offer))
  const place = Math.max(0, serviceLevels.indexOf(chosen ?? serviceLevels.find(hasOffer) ?? serviceLevels[0]))
  const byNearness = [...serviceLevels.slice(0, place + 1).reverse(), ...serviceLevels.slice(place + 1)]
  const tiers: Offer[][] = []
  for (const level of byNearness) {
    const carriers = tiers.flat().filter(isAffordable)
    if (new Set(carriers.map(({ carrier }) => carrier)).size >= carriersMin) break
    tiers.push(offers.filter(({ serviceLevel }) => serviceLevel === level))
  }
  return tiers
}

/** Sorting is stable, so that what is equal stays in the order of its value. */
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

/** Half as much again covers what carriers of one level differ by; fifty naira is the smallest step of a price. */
const increaseShare = 0.5
const stepKobo = 5_000

/**
 * The request's own limit; without one, the higher of 1.5 times the first offer and the price of the next carrier, so that
 * the default never leaves a refused dispatch without the carrier that would have taken it.
 */
function priceCeilingKobo([first, ...others]: readonly RankedOffer[], rules: PlanRules): number {
  const { maxPriceKobo, maxPriceIncreaseKobo } = rules
  if (maxPriceKobo !== null) return maxPriceKobo
  if (first === undefined) return 0
  // An increase as large as an amount can be leads to the largest amount there is, and no further.
  if (maxPriceIncreaseKobo !== null) return Math.min(first.priceKobo + maxPriceIncreaseKobo, amountMaxKobo)
  const next = others.find(({ carrier }) => carrier !== first.carrier)
  const raisedKobo = first.priceKobo + Math.ceil((first.priceKobo * increaseShare) / stepKobo) * stepKobo
  return Math.min(Math.max(raisedKobo, next?.priceKobo ?? 0), amountMaxKobo)
}
