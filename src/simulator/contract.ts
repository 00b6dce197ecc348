import { z } from 'zod'
import { Point } from '../../registry/logistics/place.ts'
import { serviceLevels, vehicles } from '../../registry/logistics/shipment-states.ts'
import { parcelsWeightMaxGrams } from '../../registry/values/limits.ts'
import { Phone } from '../../registry/values/phone.ts'
import { states } from '../../registry/values/states.ts'
import { kobo, nullable } from '../../registry/values/vocabulary.ts'

/**
 * Request schemas of the simulated carriers. The schemas are strict: they reject unknown fields, as do real carriers
 * that print labels from the data.
 */

const stop = { location: Point, state: z.enum(states) }

const parcelFields = {
  weightGrams: z.int().min(1).max(parcelsWeightMaxGrams),
  vehicle: z.enum(vehicles),
}

export const QuoteBody = z.strictObject({
  ...parcelFields,
  pickup: z.strictObject({ ...stop, phone: nullable(Phone) }),
  dropoff: z.strictObject({ ...stop, phone: nullable(Phone) }),
  serviceLevels: z.array(z.enum(serviceLevels)).min(1),
})

export type QuoteBody = z.output<typeof QuoteBody>

const contactFields = { name: z.string().min(2).max(80), line1: z.string().min(1).max(200), phone: Phone }

export const OrderBody = z.strictObject({
  ...parcelFields,
  // The order's reference, which this service assigns. It ends with the number of the dispatch attempt.
  reference: z.string().regex(/^[\w-]{1,100}$/),
  /** The token of the chosen offer, as the quote returned it. */
  offer: z.string().max(100),
  pickup: z.strictObject({ ...stop, ...contactFields }),
  dropoff: z.strictObject({ ...stop, ...contactFields }),
  pin: nullable(z.string().min(1).max(20)),
  /**
   * Cash that the rider must collect. The default is for a process of an earlier release, whose requests do not contain
   * this field.
   */
  cashKobo: nullable(kobo('Cash to collect.', { min: 1 })).default(null),
  callback: nullable(z.strictObject({ url: z.url().max(500), secret: z.string().min(1).max(200) })),
})

export type OrderBody = z.output<typeof OrderBody>

export type Reply =
  | { readonly is: 'answer'; readonly status: number; readonly body: object }
  /** A response that ends in the middle of its body. */
  | { readonly is: 'half'; readonly status: number; readonly body: object }
  /** The simulated carrier does not respond, so the client times out. */
  | { readonly is: 'hang' }

export function answer(status: number, body: object): Reply {
  return { is: 'answer', status, body }
}

export type RefusalCode =
  | 'couriers_busy'
  | 'invalid_request'
  | 'not_cancellable'
  | 'not_found'
  | 'not_offered'
  | 'out_of_area'
  | 'quote_expired'
  | 'server_error'

const refusalStatuses: Readonly<Record<RefusalCode, number>> = {
  couriers_busy: 409,
  invalid_request: 422,
  not_cancellable: 409,
  not_found: 404,
  not_offered: 405,
  out_of_area: 409,
  quote_expired: 409,
  server_error: 500,
}

export function refusal(code: RefusalCode, message: string): Reply {
  return answer(refusalStatuses[code], { code, message })
}
