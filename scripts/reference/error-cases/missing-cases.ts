import { order, product } from '../../../registry/service/triggers/step.ts'
import { type ErrorCases, missing } from './case.ts'
import { customer, delivered } from './states.ts'

export const missingCases = {
  order_not_found: { request: { operation: 'getOrder', params: { id: missing('ord') } } },
  payment_not_found: { request: { operation: 'getPayment', params: { id: missing('pay') } } },
  payment_link_not_found: {
    needs: [product(), order()],
    request: { operation: 'getPaymentLink', params: { id: '{order.id}' } },
  },
  refund_not_found: { request: { operation: 'getRefund', params: { id: missing('rfd') } } },
  return_not_found: { request: { operation: 'getReturn', params: { id: missing('ret') } } },
  remittance_not_found: {
    request: { operation: 'voidRemittance', params: { id: missing('rmt') }, body: { reason: 'wrong_amount' } },
  },
  carrier_not_found: {
    request: { operation: 'recordRemittance', body: { carrier: 'none', amountKobo: 1, reference: '{run}' } },
  },
  customer_not_found: { request: { operation: 'getCustomer', params: { id: missing('cus') } } },
  address_not_found: {
    needs: [customer],
    request: { operation: 'deleteAddress', params: { id: '{customer.id}', addressId: missing('adr') } },
  },
  product_not_found: { request: { operation: 'getProduct', params: { id: missing('prd') } } },
  discount_not_found: { request: { operation: 'getDiscount', params: { id: missing('dsc') } } },
  quote_not_found: {
    request: { operation: 'dispatchShipment', body: { reference: 'trigger-{run}', quoteId: missing('qte') } },
  },
  shipment_not_found: { request: { operation: 'getShipment', params: { id: missing('shp') } } },
  zone_not_found: { request: { operation: 'getSurge', query: { zone: 'lag-nowhere' } } },
  surge_not_found: { request: { operation: 'getSurge', query: { lat: '6.4474', lng: '3.4723', at: '{minutes.60}' } } },
  event_not_found: { request: { operation: 'getEvent', params: { id: missing('evt') } } },
  image_not_found: {
    needs: [product()],
    request: {
      ...{ operation: 'updateProduct', params: { id: '{product.id}' } },
      body: { images: [{ id: missing('img'), url: 'https://cdn.example.com/front.jpg' }] },
    },
  },
  variant_not_found: {
    request: {
      operation: 'createOrder',
      body: { ...order().body, items: [{ variantId: missing('var'), quantity: 1 }] },
    },
  },
  item_not_found: {
    needs: delivered,
    request: {
      ...{ operation: 'createReturn', params: { id: '{order.id}' } },
      body: { items: [{ itemId: missing('itm'), quantity: 1 }], reason: 'wrong_size' },
    },
  },
} as const satisfies ErrorCases
