import { z } from 'zod'
import { impersonalText } from '../values/privacy.ts'
import { placeWarnings } from './place.ts'

/** Warnings of a quote: about either place, and about offers that miss a time window. */

const ends = ['pickup', 'dropoff'] as const
export const quoteWarnings = [
  ...ends.flatMap((end) => placeWarnings.map((warning) => `${end}_${warning}` as const)),
  ...ends.map((end) => `${end}_window_missed` as const),
  /** The location of a place is too imprecise for an on-demand rider. */
  'on_demand_unavailable',
] as const
export type QuoteWarning = (typeof quoteWarnings)[number]

/** Warnings that depend on the offers, so each quote determines them again. */
export const windowWarnings: readonly QuoteWarning[] = ends.map((end) => `${end}_window_missed` as const)

export const ShipmentWarnings = z.array(impersonalText()).meta({
  description: 'Warnings at the creation of the shipment, with the same values as the warnings of a quote.',
  examples: [['dropoff_address_low_precision'] satisfies QuoteWarning[]],
})
