import { productOptionsMax, productVariantsMax } from '../../../registry/values/limits.ts'
import { html, type Markup } from '../../markup/markup.ts'
import type { ReplyOf } from '../kit/call.ts'
import type { Draft } from '../kit/draft.ts'
import { textArea, textField } from '../kit/form.ts'
import type { FormReader } from './form-reader.ts'
import { folded } from './product-fields.ts'

/** The form fields of the options in which the variants of a product differ, such as size and colour. */

type Option = ReplyOf<'getProduct'>['options'][number]

/**
 * A product option that the form contains. `place` is the number in the names of the option's form fields, such as
 * `optionName1`.
 */
export interface OptionInForm extends Option {
  readonly place: number
}

const places = Array.from({ length: productOptionsMax }, (_, index) => index + 1)

const examples = ['Such as Size.', 'Such as Colour.', 'Such as Fabric.']

/**
 * The fields of the product options are folded if the form already shows a row for each combination of their values.
 */
export function optionFields(draft: Draft, hasRows = false): Markup {
  const fields = places.map((place) => {
    const name = textField(draft, {
      name: `optionName${place}`,
      label: `Option ${place}`,
      hint: examples[place - 1] ?? '',
    })
    const label = `Values of option ${place}`
    const hint = 'Separated by commas, or one per line.'
    return html`${name}${textArea(draft, { name: `optionValues${place}`, label, hint })}`
  })
  const names = places.flatMap((place) => [`optionName${place}`, `optionValues${place}`])
  return folded(draft, 'Sizes, colours and other options', {
    ...{ names, fields: html`${fields}` },
    isShownElsewhere: hasRows,
  })
}

/** Option values are separated by line breaks, or by commas if the text has only one line. */
export function readOptions(form: FormReader): readonly OptionInForm[] {
  return places.flatMap((place) => {
    const [nameField, valuesField] = [`optionName${place}`, `optionValues${place}`]
    const name = form.text(nameField)
    const raw = form.draft.values[valuesField]?.[0] ?? ''
    const values = raw
      .split(raw.includes('\n') ? '\n' : ',')
      .map((value) => value.trim())
      .filter((value) => value !== '')
    if (name === '' && values.length === 0) return []
    if (name === '') form.addProblem(nameField, 'Enter the name of the option.')
    if (values.length === 0) form.addProblem(valuesField, 'Enter the values of the option.')
    return [{ place, name, values }]
  })
}

/**
 * Returns the texts with which the option fields show stored options. If a value contains a comma, the values are
 * separated by line breaks.
 */
export function optionTexts(options: readonly Option[]): Readonly<Record<string, string>> {
  const texts = options.flatMap(({ name, values }, index) => {
    const hasComma = values.some((value) => value.includes(','))
    return [
      [`optionName${index + 1}`, name],
      [`optionValues${index + 1}`, hasComma ? `${values.join('\n')}\n` : values.join(', ')],
    ]
  })
  return Object.fromEntries(texts)
}

/**
 * Returns all combinations of the option values, in which the value of the last option changes fastest. Adds a problem
 * to the form instead if the number of combinations exceeds the maximum number of variants of a product, or if a value
 * is listed twice.
 */
export function combinationsOf(form: FormReader, options: readonly OptionInForm[]): readonly (readonly string[])[] {
  for (const { place, values } of options) {
    const seen = new Set<string>()
    const again = values.find((value) => seen.size === seen.add(value.toLowerCase()).size)
    if (again !== undefined) form.addProblem(`optionValues${place}`, `Enter the value ${again} only once.`)
  }
  const total = options.reduce((product, { values }) => product * values.length, 1)
  if (total > productVariantsMax) {
    const message = `These options have ${total} combinations. A product has at most ${productVariantsMax} variants.`
    form.addProblem(`optionValues${options.at(-1)?.place}`, message)
  }
  if (form.problems.length > 0) return []
  return options.reduce<readonly (readonly string[])[]>(
    (combinations, { values }) => combinations.flatMap((left) => values.map((value) => [...left, value])),
    [[]],
  )
}

export function optionField(path: string, options: readonly OptionInForm[]): string | undefined {
  const { index, part } = /^options\[(?<index>\d+)\]\.(?<part>name|values)/.exec(path)?.groups ?? {}
  const option = index === undefined ? undefined : options[Number(index)]
  if (option === undefined) return undefined
  return part === 'name' ? `optionName${option.place}` : `optionValues${option.place}`
}
