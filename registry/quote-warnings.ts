import { placeWarnings } from './place.ts'

/** What a quote warns of: either end may be doubtful, and some offer may come too late for a window. */

const ends = ['pickup', 'dropoff'] as const
export const quoteWarnings = [
  ...ends.flatMap((end) => placeWarnings.map((warning) => `${end}_${warning}` as const)),
  ...ends.map((end) => `${end}_window_missed` as const),
] as const
export type QuoteWarning = (typeof quoteWarnings)[number]
