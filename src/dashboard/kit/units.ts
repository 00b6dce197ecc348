import { counted } from '../../base/counted.ts'

/** The title of the variant may be empty. */
interface VariantNames {
  readonly title: string
  readonly variantTitle: string
}

interface NamedUnits extends VariantNames {
  readonly quantity: number
}

/** Returns the title of a product with that of its variant, such as `Ankara maxi dress, M / Indigo`. */
export function variantName({ title, variantTitle }: VariantNames): string {
  return variantTitle === '' ? title : `${title}, ${variantTitle}`
}

/**
 * Maximum number of items that the text of unitsText() lists. For all further items, the text only states their number.
 */
const namedMax = 5

/** Returns units as a text, such as `1 × Ankara maxi dress, M / Indigo; 2 × Fila`. */
export function unitsText(items: readonly NamedUnits[]): string {
  const named = items.slice(0, namedMax).map(({ title, variantTitle, quantity }) => {
    return `${quantity} × ${variantName({ title, variantTitle })}`
  })
  const more = items.length - named.length
  return [...named, ...(more > 0 ? [counted(more, 'more item')] : [])].join('; ')
}

/**
 * Adds the titles of the order items to units that contain only the id of their order item. Units of an unknown item
 * are left out.
 */
export function namedUnits(
  items: readonly (VariantNames & { readonly id: string })[],
  units: readonly { readonly itemId: string; readonly quantity: number }[],
): readonly NamedUnits[] {
  return units.flatMap(({ itemId, quantity }) => {
    const item = items.find(({ id }) => id === itemId)
    return item === undefined ? [] : [{ title: item.title, variantTitle: item.variantTitle, quantity }]
  })
}
