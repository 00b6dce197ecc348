import type { CarrierCode, RefusalCode } from '../../partners/carriers/carrier.ts'

/**
 * Carriers with the capability `quotesLive`, whose prices reflect current demand. Prices of a rate card do not reflect
 * demand.
 */
export const livePricing = ['chowdeck', 'shipbubble', 'simulator-swift'] as const satisfies readonly CarrierCode[]

/**
 * Outcome codes of a dispatch attempt whose carrier had no rider: the carrier refused for that reason, or accepted the
 * order and assigned no rider in time. Every other outcome code concerns the parcel, the carrier account or the
 * connection.
 */
export const noCourierCodes = ['couriers_busy' satisfies RefusalCode, 'no_courier_assigned'] as const
