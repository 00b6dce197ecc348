import type { OrderInput, OrderUpdate } from '../../registry/orders/orders.ts'
import { amountMaxKobo } from '../../registry/values/limits.ts'
import { nairaText } from '../base/naira.ts'
import type { CreateOrderOutcome } from '../commerce/orders/create-order.ts'
import type { PricingRefusal } from '../commerce/orders/price-order.ts'
import { authorize, type Caller } from './execute/caller.ts'
import type { Refuse } from './execute/refusal.ts'

/** Rules that order creation, order preview and the edit of an order share. */

/**
 * Requires the scope products:write for custom prices. A token that has only the scopes for orders, such as that of a
 * shop's till, must not set prices.
 */
export function authorizePrices(caller: Caller, { items = [] }: Pick<OrderUpdate, 'items'>): void {
  if (items.some((item) => item.unitPriceKobo !== undefined)) authorize(caller, 'products:write')
}

type LineCode = 'variant_not_found' | 'product_not_available' | 'amount_too_large'

type CustomerRefusal = Extract<PricingRefusal, { is: 'customer_unknown' | 'customer_anonymised' }>

export function refusePricing(
  refuse: Refuse<LineCode | 'customer_not_found' | 'customer_anonymised'>,
  order: OrderInput,
  outcome: PricingRefusal,
): never {
  switch (outcome.is) {
    case 'customer_unknown':
      return refuse('customer_not_found', `No customer has the id ${order.customerId}.`)
    case 'customer_anonymised':
      return refuse('customer_anonymised', `Customer ${order.customerId} is anonymised.`)
    case 'variants_unknown':
    case 'not_available':
    case 'too_large':
      return refuseLines(refuse, outcome)
  }
}

export function refuseLines(refuse: Refuse<LineCode>, outcome: Exclude<PricingRefusal, CustomerRefusal>): never {
  switch (outcome.is) {
    case 'variants_unknown': {
      const { variantIds } = outcome
      return refuse('variant_not_found', `These variant ids are unknown: ${variantIds.join(', ')}.`, {
        variantIds: [...variantIds],
      })
    }
    case 'not_available': {
      const { variantIds } = outcome
      const message = `These variants are deleted, or their products are not active: ${variantIds.join(', ')}.`
      return refuse('product_not_available', message, { variantIds: [...variantIds] })
    }
    case 'too_large':
      return refuse(
        'amount_too_large',
        `An amount of the order would exceed the maximum of ${nairaText(amountMaxKobo)}.`,
        {
          maxKobo: amountMaxKobo,
        },
      )
  }
}

export function refuseContent(
  refuse: Refuse<'insufficient_stock' | 'discount_not_applicable' | 'total_mismatch'>,
  outcome: Extract<CreateOrderOutcome, { is: 'short' | 'code_rejected' | 'total_differs' }>,
): never {
  switch (outcome.is) {
    case 'short': {
      const message = outcome.items
        .map((item) => `The available quantity of ${item.sku} is ${item.available}.`)
        .join(' ')
      return refuse('insufficient_stock', message, { items: [...outcome.items] })
    }
    case 'code_rejected': {
      const { code, reason } = outcome.rejected
      return refuse('discount_not_applicable', `The code ${code} is not applicable: ${reason}.`, { code, reason })
    }
    case 'total_differs': {
      const { expectedKobo, actualKobo } = outcome
      return refuse('total_mismatch', `The total is ${nairaText(actualKobo)} instead of ${nairaText(expectedKobo)}.`, {
        expectedKobo,
        actualKobo,
      })
    }
  }
}
