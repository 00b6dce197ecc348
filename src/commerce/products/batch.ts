import type { EventKind } from '../../../registry/kit/event.ts'
import type { VariantId } from '../../../registry/values/vocabulary.ts'
import type { Work } from '../../store/core/mutation.ts'
import { listVariantsById, listVariantsBySku, type VariantPlace } from '../../store/products/variant-places.ts'
import type { VariantKey } from './variant-key.ts'

/** Applies the same operation, such as a price change, to many variants in one transaction. */

/** The id or the SKU of a variant. A request has exactly one of them. */
export interface VariantAddress {
  readonly variantId?: VariantId | undefined
  readonly sku?: string | undefined
}

export interface PlacedEntry<Entry> {
  readonly entry: Entry
  readonly key: VariantKey
}

export type EntryOutcome<Outcome> =
  | { readonly is: 'applied'; readonly place: VariantPlace; readonly outcome: Outcome }
  | { readonly is: 'not_found' }

export type BatchOutcome<Outcome> =
  | { readonly is: 'done'; readonly entries: readonly EntryOutcome<Outcome>[] }
  /** Two entries name the same variant, one by its id and one by its SKU. */
  | { readonly is: 'repeated'; readonly index: number; readonly variantId: VariantId }

interface Rule<Entry, Outcome, Kinds extends EventKind> {
  readonly entries: readonly Entry[]
  /**
   * The kind of record that the operation locks for each entry. The lock statements of all records are sent at once,
   * sorted by record id. They take a single round trip, and concurrent batches cannot deadlock, because all batches
   * lock in the same sequence.
   */
  readonly locks: 'product' | 'variant'
  /**
   * Applies the entries for one locked record. Returns the outcome of each entry. An entry that is refused must not
   * have written anything.
   */
  readonly apply: (work: Work<Kinds>, entries: readonly PlacedEntry<Entry>[]) => Promise<readonly Outcome[]>
}

/**
 * Applies the operation to the variant that each entry of a batch names. If the operation refuses an entry, the other
 * entries are still applied.
 */
export async function applyBatch<Entry extends VariantAddress, Outcome, Kinds extends EventKind>(
  work: Work<Kinds>,
  { entries, locks, apply }: Rule<Entry, Outcome, Kinds>,
): Promise<BatchOutcome<Outcome>> {
  const places = await placesOf(work, entries)
  const outcomes = entries.map((): EntryOutcome<Outcome> => ({ is: 'not_found' }))
  const seen = new Set<VariantId>()
  const placed: { entry: Entry; place: VariantPlace; index: number; lock: string }[] = []
  for (const [index, entry] of entries.entries()) {
    const place = places(entry)
    if (place === undefined) continue
    if (seen.has(place.id)) return work.abort({ is: 'repeated', index, variantId: place.id })
    seen.add(place.id)
    placed.push({ entry, place, index, lock: locks === 'product' ? place.productId : place.id })
  }
  const inOrder = placed.toSorted((one, other) => (one.lock < other.lock ? -1 : 1))
  await Promise.all(
    [...Map.groupBy(inOrder, ({ lock }) => lock).values()].map(async (ofRecord) => {
      const keyed = ofRecord.map(({ entry, place }) => {
        return { entry, key: { id: place.productId, variantId: place.id, sku: entry.sku } }
      })
      const applied = await apply(work, keyed)
      for (const [position, outcome] of applied.entries()) {
        const placedEntry = ofRecord[position]
        if (placedEntry !== undefined)
          outcomes[placedEntry.index] = { is: 'applied', place: placedEntry.place, outcome }
      }
    }),
  )
  return { is: 'done', entries: outcomes }
}

async function placesOf({ trx, merchantId }: Pick<Work, 'trx' | 'merchantId'>, entries: readonly VariantAddress[]) {
  const ids = entries.flatMap(({ variantId }) => (variantId === undefined ? [] : [variantId]))
  const skus = entries.flatMap(({ sku }) => (sku === undefined ? [] : [sku]))
  const [byId, bySku] = await Promise.all([
    ids.length === 0 ? [] : listVariantsById(trx, merchantId, ids),
    skus.length === 0 ? [] : listVariantsBySku(trx, merchantId, skus),
  ])
  const ofId = new Map(byId.map((place) => [place.id, place]))
  const ofSku = new Map(bySku.map((place) => [place.sku.toLowerCase(), place]))
  return ({ variantId, sku = '' }: VariantAddress): VariantPlace | undefined =>
    variantId === undefined ? ofSku.get(sku.toLowerCase()) : ofId.get(variantId)
}
