import { productTitleMaxLength } from '../../../registry/values/limits.ts'
import type { MerchantId, ProductId } from '../../../registry/values/vocabulary.ts'
import type { ReadDb } from '../../store/core/database.ts'
import { findSlugs } from '../../store/products/products.ts'
import { listVariantsBySku, listVariantsOfProducts, type VariantPlace } from '../../store/products/variant-places.ts'
import { slugsFor } from '../products/product-slug.ts'
import { checkDraft, type Draft, type ProductBody, problemAt } from './draft.ts'

/** If the product is invalid, its draft contains the problems. */
export type Checked =
  | { readonly is: 'ready'; readonly draft: Draft; readonly body: ProductBody }
  | { readonly is: 'existing'; readonly draft: Draft; readonly id: ProductId }
  | { readonly is: 'failed'; readonly draft: Draft }

/**
 * The lines on which the products of a file start. One map finds the line by an SKU of the product, the other by its
 * slug, both in lower case.
 */
export interface SeenNames {
  readonly skus: Map<string, number>
  readonly slugs: Map<string, number>
}

export function newSeen(): SeenNames {
  return { skus: new Map(), slugs: new Map() }
}

/**
 * Checks whether each product of an imported file fits the schema. Also checks whether SKUs or slugs occur more than
 * once in the file, and whether a product is already stored.
 */
export async function checkBatch(
  db: ReadDb,
  merchantId: MerchantId,
  { drafts, seen }: { readonly drafts: readonly Draft[]; readonly seen: SeenNames },
): Promise<Checked[]> {
  const named = drafts.map((draft) => ({ draft, ...namesOf(draft) }))
  const [owners, slugs] = await Promise.all([
    listVariantsBySku(db, merchantId, [...new Set(named.flatMap(({ skus }) => skus.map(({ sku }) => sku)))]),
    findSlugs(db, merchantId, [...new Set(named.flatMap((each) => slugsOf(each)))]),
  ])
  const stored = {
    ownerOf: new Map(owners.map((owner) => [owner.sku.toLowerCase(), owner])),
    slugs,
    skusOf: await skusOf(db, merchantId, [...new Set(named.flatMap(({ slug }) => slugs.get(slug ?? '') ?? []))]),
  }
  return named.map((each): Checked => {
    const { draft } = each
    // A product in the file may already be stored and archived. Another product in the file may then use the SKUs of
    // the archived product. The check for repeated SKUs within the file therefore excludes the SKUs of stored products.
    addRepeated(productWithSlug(each, stored) === undefined ? each : { ...each, skus: [] }, seen, stored)
    const body = checkDraft(draft)
    const existingId = addStored(each, stored)
    if (draft.problems.length > 0 || body === undefined) return { is: 'failed', draft }
    return existingId === undefined ? { is: 'ready', draft, body } : { is: 'existing', draft, id: existingId }
  })
}

/** Returns the SKUs of stored products, in lower case. Archived products are included. */
async function skusOf(db: ReadDb, merchantId: MerchantId, productIds: readonly ProductId[]): Promise<Stored['skusOf']> {
  const variants = productIds.length === 0 ? [] : await listVariantsOfProducts(db, merchantId, productIds)
  const skus = new Map<ProductId, Set<string>>()
  for (const { productId, sku } of variants)
    skus.set(productId, (skus.get(productId) ?? new Set()).add(sku.toLowerCase()))
  return skus
}

interface Named {
  readonly draft: Draft
  readonly skus: readonly { readonly sku: string; readonly index: number }[]
  readonly slug: string | undefined
  /** Slug candidates that are derived from the title, best first, for a product without a slug of its own. */
  readonly derived: readonly string[]
}

function slugsOf({ slug, derived }: Pick<Named, 'slug' | 'derived'>): readonly string[] {
  return slug === undefined ? derived : [slug]
}

/** Returns the SKUs and the slug of a draft, even if the draft is invalid. */
function namesOf({ input: { variants, slug, title } }: Draft): Omit<Named, 'draft'> {
  const skus = (Array.isArray(variants) ? variants : []).flatMap((variant, index) => {
    const sku: unknown = Reflect.get(Object(variant), 'sku')
    return typeof sku === 'string' ? [{ sku, index }] : []
  })
  // No slug is derived from a title that is too long, because the schema rejects such a title.
  const isDerived = slug === undefined && typeof title === 'string' && title.length <= productTitleMaxLength
  return {
    skus,
    slug: typeof slug === 'string' ? slug : undefined,
    // The last entry that slugsFor() returns is a random slug, which is used if all other slugs are in use. A random
    // slug cannot identify a product, so it is left out here.
    derived: isDerived ? slugsFor(title).slice(0, -1) : [],
  }
}

function addRepeated({ draft, skus, slug, derived }: Named, seen: SeenNames, { slugs }: Stored): void {
  const repeat = (path: readonly PropertyKey[], line: number) =>
    draft.problems.push(problemAt(draft, path, `Must not repeat the value of line ${line}.`))
  for (const { sku, index } of skus) {
    const line = seen.skus.get(sku.toLowerCase())
    // A SKU that occurs twice within one product is reported by the schema.
    if (line !== undefined && line !== draft.line) repeat(['variants', index, 'sku'], line)
    else seen.skus.set(sku.toLowerCase(), draft.line)
  }
  const chosen = slug ?? derived.find((candidate) => !seen.slugs.has(candidate) && !slugs.has(candidate))
  if (chosen === undefined) return
  const line = seen.slugs.get(chosen)
  if (line === undefined) seen.slugs.set(chosen, draft.line)
  else repeat(['slug'], line)
}

interface Stored {
  readonly ownerOf: ReadonlyMap<string, VariantPlace>
  readonly slugs: ReadonlyMap<string, ProductId>
  /** The SKUs, in lower case, of each stored product whose slug also occurs in the batch. */
  readonly skusOf: ReadonlyMap<ProductId, ReadonlySet<string>>
}

/**
 * Returns the stored product that a draft describes: the product with all SKUs of the draft. For a draft without SKUs,
 * this is the product with its slug. Adds a problem to the draft for each SKU or slug that belongs to another stored
 * product.
 */
function addStored({ draft, ...names }: Named, stored: Stored): ProductId | undefined {
  const { skus, slug } = names
  const found = productWithSlug(names, stored)
  if (found !== undefined) return found
  if (skus.length === 0) {
    if (slug === undefined) requireName(draft)
    return undefined
  }
  const { ownerOf, slugs } = stored
  const owned = skus.map(({ sku, index }) => ({ index, owner: ownerOf.get(sku.toLowerCase()) }))
  const [owner, ...others] = new Set(owned.flatMap((each) => each.owner?.productId ?? []))
  if (others.length === 0 && owned.every((each) => each.owner !== undefined)) return owner
  if (owner === undefined) {
    const ofSlug = slug === undefined ? undefined : slugs.get(slug)
    if (ofSlug !== undefined)
      draft.problems.push(
        problemAt(draft, ['slug'], `The product ${ofSlug} already has this slug, but none of these SKUs.`),
      )
    return undefined
  }
  const reason =
    others.length === 0
      ? 'which has only some of the SKUs. An import does not change a stored product.'
      : 'and other SKUs of this product belong to other products.'
  for (const { index, owner: variant } of owned) {
    if (variant === undefined) continue
    const message = `The SKU belongs to the variant ${variant.id} of the product ${variant.productId}, ${reason}`
    draft.problems.push(problemAt(draft, ['variants', index, 'sku'], message))
  }
  return undefined
}

/**
 * Returns the id of the stored product that has the slug and all SKUs of a draft. The stored product may be archived.
 */
function productWithSlug(
  { skus, slug }: Pick<Named, 'skus' | 'slug'>,
  { slugs, skusOf }: Stored,
): ProductId | undefined {
  const id = slug === undefined ? undefined : slugs.get(slug)
  if (id === undefined) return undefined
  return skus.every(({ sku }) => skusOf.get(id)?.has(sku.toLowerCase())) ? id : undefined
}

/**
 * Adds a problem to a product that has neither a SKU nor a slug. A repeated import could not recognise this product,
 * and would create it again.
 */
function requireName(draft: Draft): void {
  if (draft.input.variants === undefined && draft.problems.length > 0) return
  const message = 'Is required: a repeated import recognises the product by its SKU.'
  draft.problems.push(problemAt(draft, ['variants', 0, 'sku'], message))
}
