import { CarriedParcel, parcelExample } from '../../../registry/logistics/parcel.ts'
import { dropoffExample, Place, pickupExample } from '../../../registry/logistics/place.ts'
import { isShipmentOver } from '../../../registry/logistics/shipment-states.ts'
import { OrderId, ShipmentId, type Timestamp } from '../../../registry/values/vocabulary.ts'
import { toTimestamp } from '../../../src/base/clock.ts'
import { newId, randomCode } from '../../../src/base/ids.ts'
import { noKobo, toKobo } from '../../../src/commerce/money.ts'
import { openItemsOf } from '../../../src/commerce/orders/open-items.ts'
import type { Tenant } from '../../../src/store/core/mutation.ts'
import {
  findShipment,
  insertAttempt,
  insertShipment,
  type ShipmentKey,
  type ShipmentWithAttempts,
} from '../../../src/store/logistics/shipments/shipments.ts'
import { findOrderToShip } from '../../../src/store/orders/order-parcels.ts'
import type { PlannedOffer, StoredAttempt, StoredShipment } from '../../../src/store/tables/shipment.ts'
import type { TestApi } from '../api.ts'
import { asOperator } from '../commerce/open-order.ts'
import type { Shop } from '../shop.ts'

/** Inserts shipments with their dispatch attempts as rows, without any request to a carrier. */

export interface ShipmentOptions extends Partial<Omit<StoredShipment, 'orderId'>> {
  readonly orderId?: string | null
  /** The dispatch attempts of the shipment to insert. Defaults to one accepted attempt. */
  readonly attempts?: readonly Partial<StoredAttempt>[]
}

/** The carrier's offer in a stored dispatch attempt. */
export const storedOffer = (at: Timestamp): PlannedOffer => ({
  offerId: null,
  carrier: 'simulator-swift',
  service: 'Bike express',
  serviceLevel: 'on_demand',
  vehicle: 'bike',
  priceKobo: toKobo(250_000),
  surgeKobo: noKobo,
  token: 'token',
  breakdown: [],
  pickupMinutes: null,
  dropoffMinutes: null,
  reliability: 0.9,
  expiresAt: at,
})

export async function storeShipment(
  api: TestApi,
  shop: Shop,
  { attempts = [{}], orderId = null, ...options }: ShipmentOptions = {},
): Promise<ShipmentKey> {
  const nowMs = api.clock.nowMs()
  const now = toTimestamp(nowMs)
  const { merchantId } = shop
  const id = ShipmentId.parse(newId('shp', nowMs))
  const status = options.status ?? 'awaiting_courier'
  const shipment: StoredShipment = {
    merchantId,
    id,
    reference: `REF-${randomCode(10)}`,
    requestHash: '0f'.repeat(32),
    orderId: orderId === null ? null : OrderId.parse(orderId),
    returnId: null,
    items: orderId === null ? [] : await openItems(api, shop, orderId),
    itemsBooked: 'none',
    removedItems: [],
    codAmountKobo: null,
    codCollectedKobo: null,
    codCollectedAt: null,
    quoteId: null,
    offerId: null,
    pickup: Place.parse(pickupExample),
    dropoff: Place.parse(dropoffExample),
    parcels: [CarriedParcel.parse(parcelExample)],
    pickupZoneId: null,
    dropoffZoneId: null,
    distanceMeters: 9400,
    vehicle: 'bike',
    proof: { photo: true, signature: false, pin: null },
    undeliverableAction: 'return',
    failover: {
      enabled: true,
      strategy: 'best_value',
      maxAttempts: 3,
      carriers: null,
      excludeCarriers: null,
      maxPriceKobo: null,
      maxPriceIncreaseKobo: null,
      assignTimeoutSeconds: null,
      onUnknown: null,
    },
    priceCeilingKobo: toKobo(300_000),
    quotedPriceKobo: toKobo(250_000),
    surgeSnapshotId: null,
    warnings: [],
    metadata: {},
    createdAt: now,
    status,
    statusCode: null,
    statusMessage: null,
    plan: [],
    serviceLevel: 'on_demand',
    service: 'Bike express',
    carrier: 'simulator-swift',
    carrierReference: null,
    trackingUrl: null,
    labelUrl: null,
    priceKobo: toKobo(250_000),
    surgeKobo: noKobo,
    courier: null,
    pickupEstimate: null,
    deliveryEstimate: null,
    capturedProof: [],
    exceptions: [],
    cancelRequestedAt: null,
    cancelReason: null,
    cancelNote: null,
    cancelMaxFeeKobo: null,
    cancelFeeKobo: null,
    cancelRefundKobo: null,
    dispatchAt: status === 'scheduled' ? now : null,
    scheduledPickupAt: null,
    dispatchedAt: now,
    acceptedAt: null,
    assignedAt: null,
    pickedUpAt: null,
    deliveredAt: status === 'delivered' ? now : null,
    endedAt: isShipmentOver(status) ? now : null,
    eventCount: 0,
    attemptCount: attempts.length,
    nextCheckAt: isShipmentOver(status) ? null : toTimestamp(nowMs + 60_000),
    checks: 0,
    version: 1,
    updatedAt: now,
    ...options,
  }
  await asOperator(api, shop, ({ trx }) => {
    insertShipment(trx, shipment)
    attempts.forEach((attempt, index) => {
      insertAttempt(trx, { ...attemptOf(shipment, index + 1, now), ...attempt })
    })
  })
  return { merchantId, id }
}

/**
 * Returns every unit of an order that is in no shipment yet. A dispatch request without items contains the same units.
 */
async function openItems(api: TestApi, { merchantId }: Shop, orderId: string): Promise<StoredShipment['items']> {
  const order = await findOrderToShip(api.database, { merchantId, id: OrderId.parse(orderId) })
  return order === undefined ? [] : openItemsOf(order)
}

function attemptOf({ merchantId, id, reference }: StoredShipment, number: number, now: Timestamp): StoredAttempt {
  return {
    merchantId,
    shipmentId: id,
    number,
    carrier: 'simulator-swift',
    reference: `${reference}-${number}`,
    offer: storedOffer(now),
    startedAt: now,
    state: 'accepted',
    priceKobo: toKobo(250_000),
    carrierReference: `SW-${reference}-${number}`,
    outcomeCode: null,
    outcomeMessage: null,
    cancelFeeKobo: null,
    duplicateCostKobo: null,
    answeredAt: now,
    resolvedAt: null,
    notFoundCount: 0,
    notFoundSince: null,
    checks: 0,
    nextCheckAt: null,
    assignDeadline: null,
    monitorUntil: null,
  }
}

export async function readShipment(api: TestApi, key: ShipmentKey): Promise<ShipmentWithAttempts> {
  const found = await findShipment(api.database, key)
  if (found === undefined) throw new Error(`There is no shipment ${key.id}.`)
  return found
}

/** Returns the shop with its test-mode merchant in place of its live-mode merchant. */
export function testModeOf(shop: Shop): Shop & { readonly tenant: Tenant } {
  const merchantId = shop.testMerchantId
  return { ...shop, merchantId, tenant: { merchantId, mode: 'test' } }
}
