import type { CarrierCode, RefusalCode } from '../../partners/carriers/carrier.ts'

/** What of carriers the surge goes by. */

/** Those whose capabilities say `quotesLive`: what they ask is of the moment. A rate card’s price says nothing of riders. */
export const livePricing = ['chowdeck', 'shipbubble', 'simulator-swift'] as const satisfies readonly CarrierCode[]

/**
 * What an attempt ends with when its carrier has no rider: it says so, or it takes the parcel and names none in time. Any other
 * end is about the parcel, the account or the line.
 */
export const noCourierCodes = ['couriers_busy' satisfies RefusalCode, 'no_courier_assigned'] as const
