import { z } from 'zod'
import { adjustmentReasons } from '../../../registry/products/inventory.ts'
import { onHandMax } from '../../../registry/values/limits.ts'
import { nairaText } from '../../base/naira.ts'
import type { ReplyOf } from '../kit/call.ts'
import { type FieldProblem, newDraft } from '../kit/draft.ts'
import { nairaPrice, wholeNumber } from '../kit/fields.ts'
import { koboText } from '../kit/parts.ts'
import { type Acted, action } from '../kit/route.ts'
import { read, type Visit } from '../kit/visit.ts'
import { anyFields, type FormReader, readForm } from './form-reader.ts'
import { productContent } from './show.ts'
import { type GridVariant, shownForm } from './variant-grid.ts'

const units = wholeNumber({ min: 0, max: onHandMax })
const reasonField = z.enum(adjustmentReasons, { error: 'Choose a reason.' })

/**
 * Saves the prices and the stock of the variants whose rows the member has changed. Nothing is saved if a row is
 * invalid, or if the stored values of a changed row differ from those that the form showed.
 */
export const saveGridAction = action({
  path: '/products/{id}',
  permission: 'products:write',
  done: 'The prices and the stock are saved.',
  question: null,
  fields: anyFields,
  form: (visit, { id }, draft) => productContent(visit, id, draft),
  run: async (visit, { id }, sent): Promise<Acted> => {
    const product = await read(visit, 'getProduct', { params: { id } })
    const form = readForm(newDraft(sent))
    const reason = form.optional('reason', reasonField) ?? 'correction'
    const changes = changesOf(form, product.variants)
    if (form.problems.length > 0) return { is: 'invalid', problems: form.problems }
    const { prices, counts } = changes
    if (prices.length + counts.length === 0)
      return { is: 'refused', message: 'Nothing was changed. Change a price or a quantity.' }
    const problems = await savePrices(visit, prices)
    const isPriced = prices.length > 0 && problems.length === 0
    problems.push(...(await saveCounts(visit, counts, { reason, isPriced })))
    return problems.length === 0 ? { is: 'done', to: `/products/${id}` } : { is: 'invalid', problems }
  },
})

interface PriceChange {
  readonly variantId: string
  readonly priceKobo: number
  readonly expectedPriceKobo: number
}

interface CountChange {
  readonly variantId: string
  readonly set: number
  readonly expectedOnHand: number
}

const rowName = /^(?:price|onHand|shown)-(?<id>.+)$/

/** Returns only the values that the member has changed. Adds a problem to the form for each invalid row. */
function changesOf(form: FormReader, variants: readonly GridVariant[]) {
  const known = new Set<string>(variants.map(({ id }) => id))
  const sentIds = Object.keys(form.draft.values).map((name) => rowName.exec(name)?.groups?.id)
  if (sentIds.some((id) => id !== undefined && !known.has(id))) {
    form.addProblem(undefined, 'A variant was removed after you opened this page. Nothing was saved.')
    return { prices: [], counts: [] }
  }
  const rows = variants.flatMap((variant) => {
    const { price, onHand } = shownForm.exec(form.text(`shown-${variant.id}`))?.groups ?? {}
    // A variant that another member added after the form was opened has no row in the submitted form.
    if (price === undefined || onHand === undefined) return []
    const shown = { priceKobo: Number(price), onHand: Number(onHand) }
    return [{ prices: priceIn(form, variant, shown), counts: countIn(form, variant, shown) }]
  })
  return { prices: rows.flatMap(({ prices }) => prices), counts: rows.flatMap(({ counts }) => counts) }
}

interface Shown {
  readonly priceKobo: number
  readonly onHand: number
}

function priceIn(form: FormReader, variant: GridVariant, shown: Shown): PriceChange[] {
  const field = `price-${variant.id}`
  if (form.text(field) === koboText(shown.priceKobo)) return []
  const priceKobo = form.required(field, nairaPrice)
  if (priceKobo === undefined || priceKobo === variant.priceKobo) return []
  const { compareAtPriceKobo } = variant
  if (shown.priceKobo !== variant.priceKobo) {
    form.addProblem(
      field,
      `The price was changed to ${nairaText(variant.priceKobo)} after you opened this page. Nothing was saved.`,
    )
  } else if (compareAtPriceKobo !== null && priceKobo >= compareAtPriceKobo) {
    const message = `Enter a price below the regular price of ${nairaText(compareAtPriceKobo)}, or edit the variant to end the sale.`
    form.addProblem(field, message)
  }
  return [{ variantId: variant.id, priceKobo, expectedPriceKobo: shown.priceKobo }]
}

function countIn(form: FormReader, { id, inventory }: GridVariant, shown: Shown): CountChange[] {
  const field = `onHand-${id}`
  if (!inventory.tracked || form.draft.values[field] === undefined || form.text(field) === String(shown.onHand))
    return []
  const set = form.required(field, units)
  if (set === undefined || set === inventory.onHand) return []
  if (shown.onHand !== inventory.onHand) form.addProblem(field, stockChanged(inventory.onHand))
  return [{ variantId: id, set, expectedOnHand: shown.onHand }]
}

function stockChanged(onHand: number): string {
  return `The units on hand were changed to ${onHand} after you opened this page. Nothing was saved.`
}

/** Saves prices in one transaction. Returns the problems of rows that were not saved. */
async function savePrices(visit: Visit, prices: readonly PriceChange[]): Promise<FieldProblem[]> {
  if (prices.length === 0) return []
  const called = await visit.call('updatePrices', { body: { prices: [...prices] } })
  if (called.is === 'refused') return [{ field: undefined, message: called.refusal.message }]
  return problemsOf('price', prices, called.reply.results)
}

/** Saves stock in one transaction. Returns the problems of rows that were not saved. */
async function saveCounts(
  visit: Visit,
  counts: readonly CountChange[],
  { reason, isPriced }: { readonly reason: (typeof adjustmentReasons)[number]; readonly isPriced: boolean },
): Promise<FieldProblem[]> {
  if (counts.length === 0) return []
  const adjustments = counts.map((change) => ({ ...change, reason }))
  const called = await visit.call('adjustInventories', { body: { adjustments } })
  if (called.is === 'refused') {
    const { message } = called.refusal
    return [{ field: undefined, message: isPriced ? `The prices are saved, the stock is not. ${message}` : message }]
  }
  return problemsOf('onHand', counts, called.reply.results)
}

type Results = ReplyOf<'updatePrices'>['results'] | ReplyOf<'adjustInventories'>['results']

/**
 * Returns a problem for each row of the form that the API did not save, because another request changed or removed its
 * variant after the product was read. All other rows were saved.
 */
function problemsOf(
  name: 'price' | 'onHand',
  rows: readonly { readonly variantId: string }[],
  results: Results,
): FieldProblem[] {
  return results.flatMap(({ index, error }) => {
    const row = rows[index]
    if (error === null || row === undefined) return []
    const reason = error.code === 'variant_not_found' ? 'The variant was removed.' : error.message
    return [{ field: `${name}-${row.variantId}`, message: `${reason} This row was not saved.` }]
  })
}
