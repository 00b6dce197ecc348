import { order, product } from '../../../registry/service/triggers/step.ts'
import type { ErrorCases } from './case.ts'
import { customer, discount, sized, unpaid } from './states.ts'

export const conflictCases = {
  external_reference_in_use: {
    needs: [product(), order({ externalReference: 'shop-{run}' })],
    request: { operation: 'createOrder', body: { ...order().body, externalReference: 'shop-{run}' } },
  },
  customer_exists: { needs: [customer], request: { operation: 'createCustomer', body: customer.body } },
  slug_in_use: {
    needs: [product()],
    request: { operation: 'createProduct', body: { title: 'Other', slug: '{product.slug}' } },
  },
  sku_in_use: {
    needs: [product()],
    request: {
      operation: 'createProduct',
      body: { title: 'Other {run}', variants: [{ sku: 'TRIGGER-{run}', priceKobo: 1_500_000 }] },
    },
  },
  option_values_in_use: {
    needs: [sized],
    request: {
      ...{ operation: 'createVariant', params: { id: '{product.id}' } },
      body: { priceKobo: 1_500_000, optionValues: { size: 'M' } },
    },
  },
  code_in_use: { needs: [discount], request: { operation: 'createDiscount', body: discount.body } },
  version_conflict: {
    needs: unpaid,
    request: {
      ...{ operation: 'updateOrder', params: { id: '{order.id}' }, body: { note: 'Gift' } },
      headers: { 'If-Match': '"v9"' },
    },
  },
} as const satisfies ErrorCases
