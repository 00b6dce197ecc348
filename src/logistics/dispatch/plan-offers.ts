import { amountMaxKobo } from '../../../registry/limits.ts'
import type { DispatchStrategy } from '../../../registry/shipment-states.ts'
import type { Kobo, OfferId } from '../../../registry/vocabulary.ts'

/** In which order offers are tried, and which are not tried at all (design, logistics 3.2). Pure, and the same for a quote. */

export interface RankedOffer {
  readonly offerId: OfferId | null
  readonly carrier: string
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
  const ordered = planOffers(offers, rules, firstOfferId)
  const ceilingKobo = priceCeilingKobo(ordered[0]?.priceKobo, rules)
  return {
    offers: ordered.filter(({ priceKobo }) => priceKobo <= ceilingKobo),
    tooDear: ordered.filter(({ priceKobo }) => priceKobo > ceilingKobo),
    ceilingKobo,
    cheapestKobo: sorted(ordered, ({ priceKobo }) => priceKobo)[0]?.priceKobo,
  }
}

/** Those that may be tried, in the order in which they are. */
function planOffers<Offer extends RankedOffer>(
  offers: readonly Offer[],
  { carriers, excludeCarriers, ...rules }: PlanRules,
  firstOfferId: OfferId | undefined,
): Offer[] {
  const allowed = offers.filter(
    ({ carrier }) => (carriers?.includes(carrier) ?? true) && !(excludeCarriers?.includes(carrier) ?? false),
  )
  const ranked = rankBy(rules.strategy, carriers ?? [], rankByValue(allowed))
  const first = ranked.filter(({ offerId }) => offerId !== null && offerId === firstOfferId)
  return [...first, ...ranked.filter((offer) => !first.includes(offer))]
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

/** A fifth more than the first offer keeps a failover affordable without a surprise; fifty naira is the smallest step. */
const ceilingShare = 0.2
const stepKobo = 5_000

function priceCeilingKobo(firstPriceKobo: Kobo | undefined, rules: PlanRules): number {
  const { maxPriceKobo, maxPriceIncreaseKobo } = rules
  if (maxPriceKobo !== null) return maxPriceKobo
  if (firstPriceKobo === undefined) return 0
  const increase = maxPriceIncreaseKobo ?? Math.ceil((firstPriceKobo * ceilingShare) / stepKobo) * stepKobo
  // Whoever lets it rise by as much as can be said lets it rise to the largest amount there is, and no further.
  return Math.min(firstPriceKobo + increase, amountMaxKobo)
}
