import type { VariantId } from '../../registry/values/vocabulary.ts'
import {
  type AdjustInventoryOutcome,
  adjustInventory as adjustInventoryVerb,
} from '../commerce/products/adjust-inventory.ts'
import { findVariantPlace, listInventoryMovements as listMovementRows } from '../store/products/inventory.ts'
import { implement } from './execute/implement.ts'
import type { Refuse } from './execute/refusal.ts'
import { timeRangeOf } from './execute/time-range.ts'

export const adjustInventory = implement('adjustInventory', async ({ work, params, body, refuse }) => {
  const outcome = await adjustInventoryVerb(work, params, body)
  switch (outcome.is) {
    case 'adjusted':
      return outcome.inventory
    case 'product_unknown':
      return refuse('product_not_found', `No product has the id ${params.id}.`)
    case 'variant_unknown':
    case 'changed':
    case 'out_of_range':
      return refuseAdjustment(refuse, outcome, params.variantId)
  }
})

type AdjustmentRefusal = Exclude<AdjustInventoryOutcome, { is: 'adjusted' | 'product_unknown' }>

export function refuseAdjustment(
  refuse: Refuse<'variant_not_found' | 'inventory_changed' | 'on_hand_out_of_range'>,
  outcome: AdjustmentRefusal,
  variantId: VariantId,
): never {
  switch (outcome.is) {
    case 'variant_unknown':
      return refuse('variant_not_found', `The product has no variant ${variantId}.`, { variantIds: [variantId] })
    case 'changed': {
      const { currentOnHand } = outcome
      return refuse('inventory_changed', `The on-hand quantity of the variant is ${currentOnHand}.`, { currentOnHand })
    }
    case 'out_of_range': {
      const { currentOnHand } = outcome
      return refuse('on_hand_out_of_range', `The on-hand quantity of the variant is ${currentOnHand}.`, {
        currentOnHand,
      })
    }
  }
}

/** Both database queries are sent at once, so they take one round trip. */
export const listInventoryMovements = implement(
  'listInventoryMovements',
  async ({ db, caller, params, filters, page, refuse }) => {
    const { merchantId } = caller
    const { id: productId, variantId } = params
    const [place, movements] = await Promise.all([
      findVariantPlace(db, { merchantId, productId, variantId }),
      listMovementRows(db, { merchantId, variantId }, { ...filters, ...timeRangeOf(filters) }, page),
    ])
    switch (place) {
      case 'found':
        return movements
      case 'no_product':
        return refuse('product_not_found', `No product has the id ${productId}.`)
      case 'no_variant':
        return refuse('variant_not_found', `The product has no variant ${variantId}.`, { variantIds: [variantId] })
    }
  },
)
