import type { CarrierCode, RefusalCode } from '../partners/carriers/carrier.ts'

/** What of carriers the surge goes by. */

/** Those whose capabilities say `quotesLive`: what they ask is of the moment. A rate card’s price says nothing of riders. */
export const livePricing = ['chowdeck', 'shipbubble', 'simulator-swift'] as const satisfies readonly CarrierCode[]

/** What a carrier’s refusal is called when it has no rider; any other is about the parcel or the account. */
export const noCourierCodes = ['couriers_busy'] as const satisfies readonly RefusalCode[]
