import { z } from 'zod'
import { impersonalText } from '../values/privacy.ts'
import { placeWarnings } from './place.ts'

/** What a quote warns of: either end may be doubtful, and some offer may come too late for a window. */

const ends = ['pickup', 'dropoff'] as const
export const quoteWarnings = [
  ...ends.flatMap((end) => placeWarnings.map((warning) => `${end}_${warning}` as const)),
  ...ends.map((end) => `${end}_window_missed` as const),
  /** A place is known too vaguely for a rider who sets out at once. */
  'on_demand_unavailable',
] as const
export type QuoteWarning = (typeof quoteWarnings)[number]

/** Those that depend on the offers, and so are found anew for each quote. */
export const windowWarnings: readonly QuoteWarning[] = ends.map((end) => `${end}_window_missed` as const)

export const ShipmentWarnings = z.array(impersonalText()).meta({
  description: 'What was doubtful when it was made, such as `dropoff_area_unknown`: the same values as of a quote.',
  examples: [['dropoff_address_low_precision'] satisfies QuoteWarning[]],
})
