import type { DiscountInput } from '../../../registry/discounts/discount-input.ts'
import type { Work } from '../../store/core/mutation.ts'
import { findUnknownIds } from '../../store/discounts/discount-targets.ts'

export interface TargetsUnknown {
  readonly is: 'targets_unknown'
  readonly kind: 'products' | 'variants' | 'customers'
  readonly ids: readonly string[]
}

/**
 * Returns the ids in a discount that belong to no product, variant or customer. A discount with unknown targets would
 * never apply, and no error would show why.
 */
export async function findUnknownTargets(
  { trx, merchantId }: Pick<Work, 'trx' | 'merchantId'>,
  appliesTo: DiscountInput['appliesTo'],
  customerIds: readonly string[] | null | undefined,
): Promise<TargetsUnknown | undefined> {
  const scope = appliesTo?.scope ?? 'order'
  const targets =
    scope === 'order' ? { kind: 'products' as const, ids: [] } : { kind: scope, ids: appliesTo?.ids ?? [] }
  const requested = [targets, { kind: 'customers' as const, ids: customerIds ?? [] }]
  const found = await Promise.all(requested.map(({ kind, ids }) => findUnknownIds(trx, merchantId, kind, ids)))
  const unknown = requested.flatMap(({ kind }, index): TargetsUnknown[] => {
    const ids = found[index] ?? []
    return ids.length === 0 ? [] : [{ is: 'targets_unknown', kind, ids }]
  })
  return unknown[0]
}
