import type { ProductId, VariantId } from '../../../registry/values/vocabulary.ts'

/** The ids of a variant, and the SKU by which a request has named the variant. */
export interface VariantKey {
  readonly id: ProductId
  readonly variantId: VariantId
  readonly sku?: string | undefined
}

/**
 * Reports whether a locked variant still has the SKU by which a request has named it. The variant was found before the
 * lock, and another request may have changed its SKU since.
 */
export function hasSku(variant: { readonly sku: string }, sku: string | undefined): boolean {
  return sku === undefined || variant.sku.toLowerCase() === sku.toLowerCase()
}

/**
 * Prefixes the names of changed fields with the id of their variant, for an audit row that records the changes of
 * several variants.
 */
export function namedChanges<Values>(variantId: VariantId, changes: Readonly<Record<string, Values>>) {
  return Object.fromEntries(Object.entries(changes).map(([field, values]) => [`${variantId}.${field}`, values]))
}
