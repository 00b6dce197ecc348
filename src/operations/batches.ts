import type { ErrorCode } from '../../registry/errors/index.ts'
import type { InventoryEntry, InventoryResult, PriceInput, PriceResult } from '../../registry/products/batches.ts'
import { nairaText } from '../base/naira.ts'
import { adjustInventory } from '../commerce/products/adjust-inventory.ts'
import {
  applyBatch,
  type BatchOutcome,
  type EntryOutcome,
  type PlacedEntry,
  type VariantAddress,
} from '../commerce/products/batch.ts'
import { updatePrices as updatePricesVerb } from '../commerce/products/update-variant.ts'
import { namedChanges } from '../commerce/products/variant-key.ts'
import type { Work } from '../store/core/mutation.ts'
import { implement } from './execute/implement.ts'
import { Refusal, type Refuse, refuse as refuseAny } from './execute/refusal.ts'
import { validationRefusal } from './execute/validate.ts'
import { refuseAdjustment } from './inventory.ts'
import { refusePrices } from './variants.ts'

export const updatePrices = implement('updatePrices', async ({ work, body: { prices } }) => {
  const batch = await applyBatch(work, { entries: prices, locks: 'product', apply: priceProduct })
  return replyOf(work, resultsOf('prices', prices, batch, priceResult))
})

function priceProduct(work: Work<'product.updated'>, entries: readonly PlacedEntry<PriceInput>[]) {
  const [first] = entries
  if (first === undefined) throw new Error('A product of the batch has no entry.')
  return updatePricesVerb(
    work,
    first.key.id,
    entries.map(({ entry, key }) => ({ key, prices: entry })),
  )
}

type PriceOutcome = Awaited<ReturnType<typeof updatePricesVerb>>[number]

function priceResult(found: EntryOutcome<PriceOutcome>, { entry, path, index }: At<PriceInput>): PriceResult {
  if (found.is === 'not_found') return { index, variant: null, error: notFound(entry, path) }
  const { outcome, place } = found
  if (outcome.is === 'price_changed') {
    const message = `The price of the variant is now ${nairaText(outcome.priceKobo)}.`
    return { index, variant: null, error: { code: 'version_conflict', message, path: `${path}.expectedPriceKobo` } }
  }
  if (outcome.is !== 'updated') {
    const error = errorOf<'variant_not_found' | 'compare_at_price_too_low'>(
      `${path}.${outcome.is === 'price_too_high' ? 'compareAtPriceKobo' : addressOf(entry)}`,
      (refuse) => refusePrices(refuse, outcome, place.id),
    )
    return { index, variant: null, error }
  }
  const { version: productVersion, variants } = outcome.product
  const variant = variants.find(({ id }) => id === place.id)
  if (variant === undefined) throw new Error(`The product of ${place.id} must contain the variant.`)
  const { id, sku, priceKobo, compareAtPriceKobo, costKobo } = variant
  const { productId } = place
  return {
    index,
    variant: { id, productId, sku, priceKobo, compareAtPriceKobo, costKobo, productVersion },
    error: null,
  }
}

export const adjustInventories = implement('adjustInventories', async ({ work, body: { adjustments } }) => {
  const batch = await applyBatch(work, { entries: adjustments, locks: 'variant', apply: adjustVariants })
  return replyOf(work, resultsOf('adjustments', adjustments, batch, inventoryResult))
})

/** In the audit row of the batch, each change names its variant. */
function adjustVariants(
  work: Work<'inventory.low_stock' | 'inventory.back_in_stock'>,
  entries: readonly PlacedEntry<InventoryEntry>[],
) {
  return Promise.all(
    entries.map(({ entry, key }) => {
      const note: Work['note'] = (changes) => work.note(namedChanges(key.variantId, changes))
      return adjustInventory({ ...work, note }, key, entry)
    }),
  )
}

type AdjustmentOutcome = Awaited<ReturnType<typeof adjustInventory>>

function inventoryResult(
  found: EntryOutcome<AdjustmentOutcome>,
  { entry, path, index }: At<InventoryEntry>,
): InventoryResult {
  if (found.is === 'not_found') return { index, inventory: null, error: notFound(entry, path) }
  const { outcome, place } = found
  if (outcome.is === 'adjusted') return { index, inventory: outcome.inventory, error: null }
  const fields = { changed: 'expectedOnHand', out_of_range: entry.set === undefined ? 'delta' : 'set' } as const
  const field = outcome.is === 'changed' || outcome.is === 'out_of_range' ? fields[outcome.is] : addressOf(entry)
  // The product of a variant may be deleted during the batch. The entry of the variant then gets the same error as for
  // a deleted variant.
  const refusal = outcome.is === 'product_unknown' ? ({ is: 'variant_unknown' } as const) : outcome
  const error = errorOf<'variant_not_found' | 'inventory_changed' | 'on_hand_out_of_range'>(
    `${path}.${field}`,
    (refuse) => refuseAdjustment(refuse, refusal, place.id),
  )
  return { index, inventory: null, error }
}

/** An entry of a batch, and its path in the request. */
interface At<Entry> {
  readonly entry: Entry
  readonly path: string
  readonly index: number
}

function resultsOf<Entry extends VariantAddress, Outcome, Result>(
  list: string,
  entries: readonly Entry[],
  batch: BatchOutcome<Outcome>,
  resultOf: (found: EntryOutcome<Outcome>, at: At<Entry>) => Result,
): Result[] {
  if (batch.is === 'repeated') {
    const { index, variantId } = batch
    const path = `body.${list}[${index}].${addressOf(entries[index] ?? {})}`
    const message = `Must not name the variant ${variantId} again.`
    throw validationRefusal([{ path, code: 'duplicate', message, fix: 'Send each variant once.' }])
  }
  return batch.entries.flatMap((found, index) => {
    const entry = entries[index]
    return entry === undefined ? [] : [resultOf(found, { entry, path: `body.${list}[${index}]`, index })]
  })
}

function addressOf({ variantId }: VariantAddress): 'variantId' | 'sku' {
  return variantId === undefined ? 'sku' : 'variantId'
}

function notFound(entry: VariantAddress, path: string) {
  const { variantId, sku } = entry
  const message = variantId === undefined ? `No variant has the SKU ${sku}.` : `No variant has the id ${variantId}.`
  return { code: 'variant_not_found' as const, message, path: `${path}.${addressOf(entry)}` }
}

/** The error of a batch entry is the error that the operation for a single variant returns. */
function errorOf<Code extends ErrorCode>(path: string, run: (refuse: Refuse<Code>) => never) {
  let raised: { readonly code: Code; readonly message: string } | undefined
  const refuse: Refuse<Code> = (code, message, ...details) => {
    raised = { code, message }
    return refuseAny<Code>(code, message, ...details)
  }
  try {
    run(refuse)
  } catch (error) {
    if (!(error instanceof Refusal) || raised === undefined) throw error
  }
  if (raised === undefined) throw new Error('A refusal must be raised.')
  return { ...raised, path }
}

/** A batch whose entries all failed changes nothing, and adds no audit row. */
function replyOf<Result extends { readonly error: object | null }>(work: Work, results: Result[]) {
  const { requestId: id } = work.actor
  if (id === null) throw new Error('The batch has no request id.')
  const failed = results.filter(({ error }) => error !== null).length
  const reply = { id, succeeded: results.length - failed, failed, results }
  return failed === results.length ? work.abort(reply) : reply
}
