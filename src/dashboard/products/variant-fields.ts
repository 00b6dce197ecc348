import { onHandMax } from '../../../registry/values/limits.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import type { Refusal } from '../../operations/execute/refusal.ts'
import type { ReplyOf } from '../kit/call.ts'
import type { Draft } from '../kit/draft.ts'
import { nairaAmount, nairaPrice, wholeNumber } from '../kit/fields.ts'
import { checkBoxes, select, textField } from '../kit/form.ts'
import { problemsBy } from '../kit/refused.ts'
import type { Acted } from '../kit/route.ts'
import { staleBy } from '../kit/stale.ts'
import type { FormReader } from './form-reader.ts'
import { weightInGrams } from './new-variants.ts'

type Product = ReplyOf<'getProduct'>

/** `stock` contains the fields that only a new variant has. */
export function variantFields(draft: Draft, { options }: Product, stock: Markup = nothing): Markup {
  const choices = options.map(({ name, values }, index) =>
    select(draft, { name: `option${index + 1}`, label: name, choices: values.map((value) => [value, value] as const) }),
  )
  const sale = 'Optional. The price before a sale, which must be higher than the price.'
  const settings = [
    ['tracked', 'Stock is tracked', 'Orders reserve units, and a variant without units is sold out.'],
    ['allowBackorder', 'Backorders are allowed', 'Orders may exceed the stock.'],
  ] as const
  return html`${choices}
${textField(draft, { name: 'price', label: 'Price in naira', inputMode: 'decimal', isRequired: true })}
${textField(draft, { name: 'compareAtPrice', label: 'Regular price in naira', hint: sale, inputMode: 'decimal' })}
${textField(draft, { name: 'cost', label: 'Cost in naira', hint: 'Optional cost of one unit for you. Buyers never see it.', inputMode: 'decimal' })}
${stock}
${textField(draft, { name: 'sku', label: 'SKU' })}
${textField(draft, { name: 'barcode', label: 'Barcode' })}
${textField(draft, { name: 'weight', label: 'Weight in grams', inputMode: 'numeric' })}
${textField(draft, { name: 'lowStockThreshold', label: 'Low-stock threshold', hint: 'If the field is empty, the threshold of the product applies.', inputMode: 'numeric' })}
${checkBoxes(draft, { name: 'settings', label: 'Stock', choices: settings })}`
}

const threshold = wholeNumber({ min: 0, max: onHandMax })

/** An empty field is undefined. */
export function readVariant(form: FormReader, { options }: Product) {
  const orNone = (name: string) => (form.text(name) === '' ? undefined : form.text(name))
  const settings = form.draft.values.settings ?? []
  const priceKobo = form.required('price', nairaPrice) ?? 0
  const compareAtPriceKobo = form.optional('compareAtPrice', nairaAmount)
  if (compareAtPriceKobo !== undefined && compareAtPriceKobo <= priceKobo)
    form.addProblem('compareAtPrice', 'Enter a regular price above the price.')
  return {
    optionValues: Object.fromEntries(options.map(({ name }, index) => [name, form.text(`option${index + 1}`)])),
    ...{ priceKobo, compareAtPriceKobo },
    costKobo: form.optional('cost', nairaPrice),
    sku: orNone('sku'),
    barcode: orNone('barcode'),
    weightGrams: form.optional('weight', weightInGrams),
    lowStockThreshold: form.optional('lowStockThreshold', threshold),
    tracked: settings.includes('tracked'),
    allowBackorder: settings.includes('allowBackorder'),
  }
}

/** Form fields by the last part of a path in the body of a request, such as `inventory.lowStockThreshold`. */
const fields: Readonly<Record<string, string>> = {
  priceKobo: 'price',
  compareAtPriceKobo: 'compareAtPrice',
  costKobo: 'cost',
  sku: 'sku',
  barcode: 'barcode',
  weightGrams: 'weight',
  lowStockThreshold: 'lowStockThreshold',
  onHand: 'onHand',
}

export function variantProblems(refusal: Refusal): Acted {
  switch (refusal.code) {
    case 'sku_in_use':
      return { is: 'refused', field: 'sku', message: 'Another variant already has this SKU.' }
    case 'option_values_in_use':
      return { is: 'refused', field: 'option1', message: 'Another variant of the product already has these values.' }
    case 'options_mismatch':
      return {
        is: 'refused',
        field: 'option1',
        message: 'Choose a value of each option. The options may have changed.',
      }
    default:
      return staleBy(refusal, 'product') ?? problemsBy(refusal, (path) => fields[path.replace(/^inventory\./, '')])
  }
}
