import type { ProductOption, Variant } from '../../../registry/products/product.ts'

/** A product's options and the values its variants have of them. A product without options has one variant. */

type OptionValues = Readonly<Record<string, string>>

/** The design's derived title: `M / Indigo`. */
export function variantTitleOf(options: readonly ProductOption[], optionValues: OptionValues): string {
  return options.map(({ name }) => optionValues[name] ?? '').join(' / ')
}

/** Whether there is exactly one value of each option, and each is one of those that can be chosen. */
export function fitsOptions(options: readonly ProductOption[], optionValues: OptionValues): boolean {
  return (
    Object.keys(optionValues).length === options.length &&
    options.every(({ name, values }) => values.some((value) => value === optionValues[name]))
  )
}

/** The variant, other than the one excepted, that has these values already. */
export function findTwin(
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
 * The variants under other options: a new option gives each its first value, and one that is gone is taken from each. Or
 * the variants that stand in the way, because they use a value that would go or would no longer differ.
 */
export function refit(
  variants: readonly Variant[],
  options: readonly ProductOption[],
): { readonly is: 'fine'; readonly variants: Variant[] } | { readonly is: 'in_use'; readonly variantIds: string[] } {
  const refitted = variants.map((variant) => {
    const optionValues: Record<string, string> = {}
    for (const { name, values } of options) {
      // An option may be named like something every object has, such as `constructor`.
      const own = Object.hasOwn(variant.optionValues, name) ? variant.optionValues[name] : undefined
      optionValues[name] = own ?? values[0] ?? ''
    }
    return { ...variant, optionValues, title: variantTitleOf(options, optionValues) }
  })
  const inTheWay = refitted.filter(
    ({ id, optionValues }) =>
      !fitsOptions(options, optionValues) || findTwin(refitted, options, { optionValues, exceptId: id }) !== undefined,
  )
  if (inTheWay.length > 0) return { is: 'in_use', variantIds: inTheWay.map(({ id }) => id) }
  return { is: 'fine', variants: refitted }
}
