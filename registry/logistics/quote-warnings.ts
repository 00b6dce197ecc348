import { z } from 'zod'
import { impersonalText } from '../values/privacy.ts'
import { placeWarningMeanings } from './place.ts'

const ends = ['pickup', 'dropoff'] as const
type End = (typeof ends)[number]

const endWarningMeanings = {
  ...placeWarningMeanings,
  window_missed:
    'an offer has an ETA (`pickupEta.p50` or `dropoffEta.p50`) after the end of the requested pickup or dropoff window',
} as const
type EndWarning = keyof typeof endWarningMeanings

export type QuoteWarning = `${End}_${EndWarning}` | 'on_demand_unavailable'

const codesOf = (warning: string) => ends.map((end) => `${end}_${warning}`)

export const quoteWarnings: readonly string[] = [
  ...Object.keys(endWarningMeanings).flatMap(codesOf),
  'on_demand_unavailable' satisfies QuoteWarning,
]

export const quoteWarningsDescription = [
  ...Object.entries(endWarningMeanings).map(
    ([warning, meaning]) =>
      `${codesOf(warning)
        .map((code) => `\`${code}\``)
        .join(', ')}: ${meaning}.`,
  ),
  '`on_demand_unavailable`: the pickup or dropoff location is too imprecise for `on_demand`, so only other service ' +
    'levels are offered.',
  'More values may be added.',
].join(' ')

/**
 * Warnings that an offer misses a requested time window. They depend on the offers, so they are determined again for
 * each quote.
 */
export const windowWarnings: readonly QuoteWarning[] = ends.map((end) => `${end}_window_missed` as const)

export const ShipmentWarnings = z.array(impersonalText()).meta({
  description: 'Warnings that applied when the shipment was created, with the same values as the warnings of a quote.',
  examples: [['dropoff_address_low_precision'] satisfies QuoteWarning[]],
})
