import type { DiscountInput } from '../../../registry/discounts/discount-input.ts'
import type { Work } from '../../store/core/mutation.ts'
import { findUnknownIds } from '../../store/discounts/discount-targets.ts'

export interface TargetsUnknown {
  readonly is: 'targets_unknown'
  readonly kind: 'products' | 'variants' | 'customers'
  readonly ids: readonly string[]
}

/** Looks up what a discount is for. One that named nothing there is would never count, and nobody would know why. */
export async function findUnknownTargets(
  { trx, merchantId }: Pick<Work, 'trx' | 'merchantId'>,
  appliesTo: DiscountInput['appliesTo'],
  customerIds: readonly string[] | null | undefined,
): Promise<TargetsUnknown | undefined> {
  const scope = appliesTo?.scope ?? 'order'
  const targets =
    scope === 'order' ? { kind: 'products' as const, ids: [] } : { kind: scope, ids: appliesTo?.ids ?? [] }
  const asked = [targets, { kind: 'customers' as const, ids: customerIds ?? [] }]
  const found = await Promise.all(asked.map(({ kind, ids }) => findUnknownIds(trx, merchantId, kind, ids)))
  const unknown = asked.flatMap(({ kind }, index): TargetsUnknown[] => {
    const ids = found[index] ?? []
    return ids.length === 0 ? [] : [{ is: 'targets_unknown', kind, ids }]
  })
  return unknown[0]
}
