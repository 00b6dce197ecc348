import { cancelled, order, product, returned } from '../../../registry/service/triggers/step.ts'
import { amountMaxKobo } from '../../../registry/values/limits.ts'
import type { ErrorCases, NeededRequest } from './case.ts'
import { customer, delivered, discount, discounted, sized, unpaid } from './states.ts'

const ofOrder = { id: '{order.id}' }
const ofProduct = { id: '{product.id}' }
const ofVariant = { id: '{product.id}', variantId: '{product.variants.0.id}' }
const [requested] = returned

const full = {
  operation: 'createProduct',
  as: 'product',
  shown: 'a product with 100 variants',
  body: {
    title: 'Trigger {run}',
    options: [
      { name: 'size', values: Array.from({ length: 100 }, (_, number) => `${number}`) },
      { name: 'colour', values: ['Indigo', 'Red'] },
    ],
    variants: Array.from({ length: 100 }, (_, number) => ({
      optionValues: { size: `${number}`, colour: 'Indigo' },
      priceKobo: 1_500_000,
    })),
  },
} as const satisfies NeededRequest

export const stateCases = {
  invalid_transition: {
    needs: [...unpaid, cancelled],
    request: { operation: 'transitionOrder', params: ofOrder, body: { to: 'shipped' } },
  },
  order_not_cancellable: {
    needs: delivered,
    request: { operation: 'cancelOrder', params: ofOrder, body: { reason: 'customer' } },
  },
  order_not_editable: {
    needs: delivered,
    request: { operation: 'updateOrder', params: ofOrder, body: { customer: { name: 'Ngozi Eze' } } },
  },
  order_content_not_editable: {
    needs: delivered,
    request: { operation: 'updateOrder', params: ofOrder, body: { shippingKobo: 50_000 } },
  },
  return_quantity_exceeds: {
    needs: delivered,
    request: {
      ...{ operation: 'createReturn', params: ofOrder },
      body: { items: [{ itemId: '{order.items.0.id}', quantity: 2 }], reason: 'wrong_size' },
    },
  },
  return_not_refundable: {
    needs: [
      ...delivered,
      ...(requested === undefined ? [] : [requested]),
      { operation: 'transitionReturn', params: { id: '{return.id}' }, body: { to: 'rejected' } },
    ],
    request: {
      operation: 'createRefund',
      body: { orderId: '{order.id}', returnId: '{return.id}', reason: 'customer_request' },
    },
  },
  return_not_exchangeable: {
    needs: [...delivered, ...(requested === undefined ? [] : [requested])],
    request: { operation: 'createOrder', body: { ...order().body, exchangeOfReturnId: '{return.id}' } },
  },
  customer_anonymised: {
    needs: [product(), customer, { operation: 'anonymiseCustomer', params: { id: '{customer.id}' } }],
    request: {
      operation: 'createOrder',
      body: {
        ...{ customerId: '{customer.id}', paymentMethod: 'card' },
        items: [{ variantId: '{product.variants.0.id}', quantity: 1 }],
      },
    },
  },
  customer_has_open_orders: {
    needs: unpaid,
    request: { operation: 'anonymiseCustomer', params: { id: '{order.customer.id}' } },
  },
  address_limit_reached: {
    needs: [
      customer,
      {
        ...{ operation: 'createAddress', params: { id: '{customer.id}' }, times: 20 },
        body: { line1: '12 Admiralty Way', city: 'Lekki' },
      },
    ],
    request: {
      ...{ operation: 'createAddress', params: { id: '{customer.id}' } },
      body: { line1: '12 Admiralty Way', city: 'Lekki' },
    },
  },
  insufficient_stock: {
    needs: [product({ onHand: 0 })],
    request: { operation: 'createOrder', body: order().body },
  },
  product_not_available: {
    needs: [product(), { operation: 'updateProduct', params: ofProduct, body: { status: 'archived' } }],
    request: { operation: 'createOrder', body: order().body },
  },
  product_in_use: { needs: [product()], request: { operation: 'deleteProduct', params: ofProduct } },
  product_needs_variant: {
    needs: [{ operation: 'createProduct', as: 'product', body: { title: 'Trigger {run}' } }],
    request: { operation: 'updateProduct', params: ofProduct, body: { status: 'active' } },
  },
  options_mismatch: {
    needs: [sized],
    request: { operation: 'createVariant', params: ofProduct, body: { priceKobo: 1, optionValues: { size: 'XS' } } },
  },
  options_in_use: {
    needs: [sized],
    request: { operation: 'updateProduct', params: ofProduct, body: { options: [{ name: 'size', values: ['L'] }] } },
  },
  variant_limit_reached: {
    needs: [full],
    request: {
      ...{ operation: 'createVariant', params: ofProduct },
      body: { priceKobo: 1_500_000, optionValues: { size: '0', colour: 'Red' } },
    },
  },
  compare_at_price_too_low: {
    needs: [sized],
    request: { operation: 'updateVariant', params: ofVariant, body: { priceKobo: 1_900_000 } },
  },
  inventory_changed: {
    needs: [product()],
    request: {
      ...{ operation: 'adjustInventory', params: ofVariant },
      body: { delta: 1, expectedOnHand: 3, reason: 'restock' },
    },
  },
  on_hand_out_of_range: {
    needs: [product()],
    request: { operation: 'adjustInventory', params: ofVariant, body: { delta: -11, reason: 'loss' } },
  },
  total_mismatch: {
    needs: [product()],
    request: { operation: 'createOrder', body: { ...order().body, expectedTotalKobo: 1 } },
  },
  amount_too_large: {
    needs: [product()],
    request: {
      operation: 'createOrder',
      body: {
        ...order().body,
        items: [{ variantId: '{product.variants.0.id}', quantity: 2, unitPriceKobo: amountMaxKobo }],
      },
    },
  },
  discount_not_applicable: {
    needs: [product()],
    request: { operation: 'createOrder', body: { ...order().body, discountCodes: ['NONE'] } },
  },
  discount_locked: {
    needs: [product(), discount, discounted],
    request: { operation: 'updateDiscount', params: { id: '{discount.id}' }, body: { percentageBps: 2000 } },
  },
  discount_type_mismatch: {
    needs: [discount],
    request: { operation: 'updateDiscount', params: { id: '{discount.id}' }, body: { amountKobo: 1000 } },
  },
  discount_limit_below_uses: {
    needs: [product(), discount, { ...discounted, times: 2 }],
    request: { operation: 'updateDiscount', params: { id: '{discount.id}' }, body: { usageLimit: 1 } },
  },
  test_clock_advancing: {
    needs: [{ operation: 'advanceTestClock', body: { seconds: 86_400 } }],
    request: { operation: 'advanceTestClock', body: { seconds: 86_400 } },
  },
  discount_window_empty: {
    needs: [{ ...discount, body: { ...discount.body, startsAt: '{minutes.60}' } }],
    request: { operation: 'updateDiscount', params: { id: '{discount.id}' }, body: { endsAt: '{minutes.10}' } },
  },
} as const satisfies ErrorCases
