import { html, type Markup } from '../../markup/markup.ts'
import { listTargetNames, type TargetIds } from '../../store/discounts/target-names.ts'
import type { ReplyOf } from '../kit/call.ts'
import type { Visit } from '../kit/visit.ts'
import { type Names, termsOf } from './terms.ts'

type Discount = ReplyOf<'getDiscount'>

export function targetIdsOf({ appliesTo: { scope, ids }, customerIds }: Discount): Required<TargetIds> {
  return {
    productIds: scope === 'products' ? ids : [],
    variantIds: scope === 'variants' ? ids : [],
    customerIds: customerIds ?? [],
  }
}

export function namesOf(visit: Visit, ids: TargetIds): Promise<Names> {
  return listTargetNames(visit.context.database, visit.tenant.merchantId, ids)
}

/** Shows the terms of a discount as a sentence, before the member submits the form that stores the discount. */
export async function preview(visit: Visit, discount: Discount): Promise<Markup> {
  const terms = termsOf(discount, await namesOf(visit, targetIdsOf(discount)))
  return html`<p class="notice" role="status"><strong>${terms}</strong><br>Nothing has been stored yet.</p>`
}
