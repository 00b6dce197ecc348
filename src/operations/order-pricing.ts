import type { OrderInput } from '../../registry/orders/orders.ts'
import { amountMaxKobo } from '../../registry/values/limits.ts'
import type { PricingRefusal } from '../commerce/orders/price-order.ts'
import { authorize, type Caller } from './execute/caller.ts'
import type { Refuse } from './execute/refusal.ts'

/** Rules that both order creation and order preview apply. */

/**
 * Requires the scope products:write for custom prices. A token with only the order scopes, as in a shop's till, must
 * not set prices.
 */
export function authorizePrices(caller: Caller, order: OrderInput): void {
  if (order.items.some((item) => item.unitPriceKobo !== undefined)) authorize(caller, 'products:write')
}

type Code =
  | 'customer_not_found'
  | 'customer_anonymised'
  | 'variant_not_found'
  | 'product_not_available'
  | 'amount_too_large'

export function refusePricing(refuse: Refuse<Code>, order: OrderInput, outcome: PricingRefusal): never {
  switch (outcome.is) {
    case 'customer_unknown':
      return refuse('customer_not_found', `No customer has the id ${order.customerId}.`)
    case 'customer_anonymised':
      return refuse('customer_anonymised', `Customer ${order.customerId} is anonymised.`)
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
      return refuse('amount_too_large', `An amount of the order would exceed the maximum of ${amountMaxKobo} kobo.`, {
        maxKobo: amountMaxKobo,
      })
  }
}
