import type { MerchantId, ProductId } from '../../../registry/values/vocabulary.ts'
import type { ReadDb } from '../../store/core/database.ts'
import { findSlugs } from '../../store/products/products.ts'
import { listVariantsBySku, type VariantPlace } from '../../store/products/variant-places.ts'
import { checkDraft, type Draft, type ProductBody, problemAt } from './draft.ts'

/** The result of the checks of a product. The problems of a failed product are in its draft. */
export type Checked =
  | { readonly is: 'ready'; readonly draft: Draft; readonly body: ProductBody }
  | { readonly is: 'existing' }
  | { readonly is: 'failed'; readonly draft: Draft }

/** The lines in which a file has each SKU and each slug, in lower case. */
export interface SeenNames {
  readonly skus: Map<string, number>
  readonly slugs: Map<string, number>
}

export function newSeen(): SeenNames {
  return { skus: new Map(), slugs: new Map() }
}

/** Checks products against the schema, against the rest of the file and against the stored products. */
export async function checkBatch(
  db: ReadDb,
  merchantId: MerchantId,
  { drafts, seen }: { readonly drafts: readonly Draft[]; readonly seen: SeenNames },
): Promise<Checked[]> {
  const named = drafts.map((draft) => ({ draft, ...namesOf(draft) }))
  const [owners, slugs] = await Promise.all([
    listVariantsBySku(db, merchantId, [...new Set(named.flatMap(({ skus }) => skus.map(({ sku }) => sku)))]),
    findSlugs(db, merchantId, [...new Set(named.flatMap(({ slug }) => slug ?? []))]),
  ])
  const ownerOf = new Map(owners.map((owner) => [owner.sku.toLowerCase(), owner]))
  return named.map((each): Checked => {
    addRepeated(each, seen)
    const { draft } = each
    const body = checkDraft(draft)
    const isExisting = addStored(each, { ownerOf, slugs })
    if (draft.problems.length > 0 || body === undefined) return { is: 'failed', draft }
    return isExisting ? { is: 'existing' } : { is: 'ready', draft, body }
  })
}

interface Named {
  readonly draft: Draft
  readonly skus: readonly { readonly sku: string; readonly index: number }[]
  readonly slug: string | undefined
}

/** Returns the SKUs and the slug of a draft, also if the draft has problems. */
function namesOf({ input: { variants, slug } }: Draft): Omit<Named, 'draft'> {
  const skus = (Array.isArray(variants) ? variants : []).flatMap((variant, index) => {
    const sku: unknown = Reflect.get(Object(variant), 'sku')
    return typeof sku === 'string' ? [{ sku, index }] : []
  })
  return { skus, slug: typeof slug === 'string' ? slug : undefined }
}

/** Adds a problem for each SKU or slug that an earlier product of the file has. */
function addRepeated({ draft, skus, slug }: Named, seen: SeenNames): void {
  const repeat = (path: readonly PropertyKey[], line: number) =>
    draft.problems.push(problemAt(draft, path, `Must not repeat the value of line ${line}.`))
  for (const { sku, index } of skus) {
    const line = seen.skus.get(sku.toLowerCase())
    // The schema reports a SKU that a product itself repeats.
    if (line !== undefined && line !== draft.line) repeat(['variants', index, 'sku'], line)
    else seen.skus.set(sku.toLowerCase(), draft.line)
  }
  if (slug === undefined) return
  const line = seen.slugs.get(slug)
  if (line === undefined) seen.slugs.set(slug, draft.line)
  else repeat(['slug'], line)
}

interface Stored {
  readonly ownerOf: ReadonlyMap<string, VariantPlace>
  readonly slugs: ReadonlyMap<string, ProductId>
}

/**
 * Reports whether the product is stored already: one stored product has all its SKUs, or its slug if it has no SKU. Adds a
 * problem for each name that belongs to another product.
 */
function addStored({ draft, skus, slug }: Named, { ownerOf, slugs }: Stored): boolean {
  const owned = skus.map(({ sku, index }) => ({ index, owner: ownerOf.get(sku.toLowerCase()) }))
  const owners = new Set(owned.flatMap(({ owner }) => owner?.productId ?? []))
  const ofSlug = slug === undefined ? undefined : slugs.get(slug)
  if (skus.length === 0) {
    if (slug === undefined && draft.problems.length === 0) {
      const message = 'Is required: a repeated import recognises the product by it.'
      draft.problems.push(problemAt(draft, ['variants', 0, 'sku'], message))
    }
    return ofSlug !== undefined
  }
  if (owners.size === 1 && owned.every(({ owner }) => owner !== undefined)) return true
  for (const { index, owner } of owned) {
    if (owner === undefined) continue
    const message = `The SKU belongs to the variant ${owner.id} of the product ${owner.productId}, which is not the same product.`
    draft.problems.push(problemAt(draft, ['variants', index, 'sku'], message))
  }
  if (owners.size === 0 && ofSlug !== undefined) {
    draft.problems.push(problemAt(draft, ['slug'], `The product ${ofSlug} has this slug, and other SKUs.`))
  }
  return false
}
