import { cashPhonePrefix, dispatchPhonePrefix } from '../../../registry/service/test-phones.ts'
import {
  cancelled,
  dispatched,
  order,
  paidByHand,
  priceKobo,
  product,
  returned,
} from '../../../registry/service/triggers/step.ts'
import type { ErrorCases, NeededRequest } from './case.ts'
import { delivered, unpaid } from './states.ts'

const shop = { name: 'Ankara House', phone: '+2348031234567', line1: '7 Adeola Odeku Street', area: 'Victoria Island' }
const home = { name: 'Adaeze Okafor', phone: '+2348029876543', line1: '12 Admiralty Way', area: 'Lekki Phase 1' }
const parcels = [{ description: 'Ankara maxi dress', weightGrams: 800, valueKobo: priceKobo }]
const parcel = { pickup: shop, dropoff: home, parcels, carriers: ['simulator-swift'] }

const sent = (more: object) => ({
  operation: 'dispatchShipment' as const,
  body: { reference: 'other-{run}', ...parcel, ...more },
})
const ofOrder = (more: object = {}) => ({
  operation: 'dispatchShipment' as const,
  body: { reference: 'other-{run}', orderId: '{order.id}', pickup: shop, ...more },
})
const quoted: NeededRequest = { operation: 'createQuote', as: 'quote', body: parcel }
const paidOrder = [...unpaid, paidByHand()]

const remitted = (reference: string) => ({
  operation: 'recordRemittance' as const,
  as: 'remittance',
  body: { carrier: 'simulator-swift', amountKobo: 1_000, reference },
})

/** A delivered shipment whose carrier has collected cash. */
const collected = [
  product(),
  order({ phone: `${cashPhonePrefix}0`, paymentMethod: 'pay_on_delivery' }),
  dispatched(['simulator-swift'], { codAmountKobo: priceKobo }),
  { waitSeconds: 300 },
]

export const shipmentCases = {
  order_not_shippable: {
    needs: [product(), order({ shippingAddress: undefined }), paidByHand()],
    request: ofOrder(),
  },
  pickup_missing: { needs: paidOrder, request: ofOrder({ pickup: undefined }) },
  order_not_dispatchable: { needs: [...unpaid, cancelled], request: ofOrder() },
  return_not_dispatchable: {
    needs: [...delivered, ...returned.slice(0, 1)],
    request: {
      operation: 'dispatchShipment',
      body: { reference: 'other-{run}', returnId: '{return.id}', dropoff: shop },
    },
  },
  nothing_to_ship: { needs: delivered, request: ofOrder() },
  order_items_unavailable: {
    needs: paidOrder,
    request: ofOrder({ items: [{ itemId: '{order.items.0.id}', quantity: 2 }] }),
  },
  outside_coverage: { request: sent({ dropoff: { ...home, location: { lat: 5.2, lng: 3.4 } } }) },
  address_imprecise: {
    request: sent({ dropoff: { ...home, area: 'Nowhere' }, serviceLevels: ['on_demand'] }),
  },
  contact_incomplete: { request: sent({ dropoff: { ...home, phone: null } }) },
  time_in_past: { request: sent({ scheduleAt: '2020-01-01T00:00:00Z' }) },
  quote_expired: {
    needs: [quoted, { waitSeconds: 3600 }],
    request: { operation: 'dispatchShipment', body: { reference: 'other-{run}', quoteId: '{quote.id}' } },
  },
  quote_already_used: {
    needs: [quoted, { operation: 'dispatchShipment', body: { reference: 'first-{run}', quoteId: '{quote.id}' } }],
    request: { operation: 'dispatchShipment', body: { reference: 'other-{run}', quoteId: '{quote.id}' } },
  },
  quote_mismatch: {
    needs: [quoted],
    request: {
      operation: 'dispatchShipment',
      body: { reference: 'other-{run}', quoteId: '{quote.id}', dropoff: { ...home, area: 'Ikeja GRA' } },
    },
  },
  cod_exceeds_due: { needs: paidOrder, request: ofOrder({ codAmountKobo: 1_000 }) },
  remittance_exceeds_outstanding: {
    needs: collected,
    request: {
      operation: 'recordRemittance',
      body: { carrier: 'simulator-swift', amountKobo: priceKobo + 1, reference: 'first-{run}' },
    },
  },
  received_at_out_of_range: {
    needs: collected,
    request: {
      operation: 'recordRemittance',
      body: { ...remitted('first-{run}').body, receivedAt: '2020-01-01T00:00:00Z' },
    },
  },
  remittance_reference_in_use: {
    needs: [...collected, remitted('first-{run}')],
    request: { operation: 'recordRemittance', body: remitted('first-{run}').body },
  },
  remittance_already_voided: {
    needs: [
      ...collected,
      remitted('first-{run}'),
      { operation: 'voidRemittance', params: { id: '{remittance.id}' }, body: { reason: 'wrong_amount' } },
    ],
    request: { operation: 'voidRemittance', params: { id: '{remittance.id}' }, body: { reason: 'wrong_amount' } },
  },
  window_missed: {
    needs: [
      {
        operation: 'createQuote',
        as: 'quote',
        body: { ...parcel, carriers: ['simulator-saver'], dropoffWindow: { from: '{minutes.1}', to: '{minutes.11}' } },
      },
    ],
    request: { operation: 'dispatchShipment', body: { reference: 'other-{run}', quoteId: '{quote.id}' } },
  },
  proof_not_offered: {
    needs: [quoted],
    request: {
      operation: 'dispatchShipment',
      body: { reference: 'other-{run}', quoteId: '{quote.id}', proof: { signature: true } },
    },
  },
  reference_conflict: {
    needs: [sent({})],
    request: sent({ metadata: { changed: 'yes' } }),
  },
  order_already_dispatched: {
    needs: [...paidOrder, quoted, dispatched()],
    request: {
      operation: 'dispatchShipment',
      body: { reference: 'other-{run}', quoteId: '{quote.id}', orderId: '{order.id}' },
    },
  },
  price_ceiling_too_low: { request: sent({ failover: { maxPriceKobo: 1_000 } }) },
  shipment_not_cancellable: {
    needs: [...paidOrder, dispatched(['simulator-saver'])],
    request: { operation: 'cancelShipment', params: { id: '{shipment.id}' }, body: { reason: 'customer_request' } },
  },
  cancellation_fee_required: {
    needs: [...paidOrder, dispatched(), { waitSeconds: 40 }],
    request: { operation: 'cancelShipment', params: { id: '{shipment.id}' }, body: { reason: 'customer_request' } },
  },
  no_carrier_available: { request: sent({ dropoff: { ...home, phone: `${dispatchPhonePrefix}100` } }) },
} as const satisfies ErrorCases
