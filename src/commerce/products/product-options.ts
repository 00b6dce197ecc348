import type { ProductOption, Variant } from '../../../registry/products/product.ts'

/**
 * The options of a product, and the values of its variants for these options. A product without options has one
 * variant.
 */

type OptionValues = Readonly<Record<string, string>>

/** Returns the title of a variant, which is derived from the option values, such as `M / Indigo`. */
export function variantTitleOf(options: readonly ProductOption[], optionValues: OptionValues): string {
  return options.map(({ name }) => optionValues[name] ?? '').join(' / ')
}

/** Reports whether a variant has exactly one allowed value for each option of its product. */
export function fitsOptions(options: readonly ProductOption[], optionValues: OptionValues): boolean {
  return (
    Object.keys(optionValues).length === options.length &&
    options.every(({ name, values }) => values.some((value) => value === optionValues[name]))
  )
}

export function findDuplicate(
  variants: readonly Variant[],
  options: readonly ProductOption[],
  sought: { readonly optionValues: OptionValues; readonly exceptId?: string },
): Variant | undefined {
  return variants.find(
    ({ id, optionValues }) =>
      id !== sought.exceptId && options.every(({ name }) => optionValues[name] === sought.optionValues[name]),
  )
}

/**
 * Adapts the variants of a product to its changed options: each variant gets the first value of a new option, and loses
 * the value of a removed option. If a variant uses a removed value, or two variants would become equal, returns the
 * conflicting variants instead.
 */
export function refit(
  variants: readonly Variant[],
  options: readonly ProductOption[],
): { readonly is: 'fine'; readonly variants: Variant[] } | { readonly is: 'in_use'; readonly variantIds: string[] } {
  const refitted = variants.map((variant) => {
    const optionValues: Record<string, string> = {}
    for (const { name, values } of options) {
      // Object.hasOwn() is needed, because the name of an option may be that of a property that every object inherits,
      // such as `constructor`.
      const own = Object.hasOwn(variant.optionValues, name) ? variant.optionValues[name] : undefined
      optionValues[name] = own ?? values[0] ?? ''
    }
    return { ...variant, optionValues, title: variantTitleOf(options, optionValues) }
  })
  const conflicting = refitted.filter(
    ({ id, optionValues }) =>
      !fitsOptions(options, optionValues) ||
      findDuplicate(refitted, options, { optionValues, exceptId: id }) !== undefined,
  )
  if (conflicting.length > 0) return { is: 'in_use', variantIds: conflicting.map(({ id }) => id) }
  return { is: 'fine', variants: refitted }
}
