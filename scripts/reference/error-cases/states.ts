import { order, paidByHand, product, transitioned } from '../../../registry/service/triggers/step.ts'
import type { NeededRequest } from './case.ts'

/** Requests that create the states of the error cases. */

export const unpaid = [product(), order()]

export const delivered = [...unpaid, paidByHand(), transitioned('delivered')]

export const customer = {
  operation: 'createCustomer',
  as: 'customer',
  body: { name: 'Adaeze Okafor', email: 'adaeze.{run}@example.com' },
} as const satisfies NeededRequest

export const discount = {
  operation: 'createDiscount',
  as: 'discount',
  body: { title: 'Ten percent', code: 'T{run}', type: 'percentage', percentageBps: 1000 },
} as const satisfies NeededRequest

export const discounted = order({ discountCodes: ['T{run}'] })

/** A product with the option `size`. Each of its variants has a size. */
export const sized = {
  operation: 'createProduct',
  as: 'product',
  body: {
    title: 'Trigger {run}',
    status: 'active',
    options: [{ name: 'size', values: ['M', 'L'] }],
    variants: [
      { sku: 'TRIGGER-{run}', optionValues: { size: 'M' }, priceKobo: 1_500_000, compareAtPriceKobo: 1_800_000 },
    ],
  },
} as const satisfies NeededRequest
