import slugify from '@sindresorhus/slugify'
import { randomCode } from '../../base/ids.ts'

/** Maximum length of a slug without its suffix. A title may be twice as long. */
const baseMaxLength = 100

/**
 * Number of products with the same title whose slugs are numbered. The slug of every further product with this title
 * gets a random suffix.
 */
const numbered = 20

/**
 * Returns slug candidates for a title, best first: `ankara-maxi-dress`, then `ankara-maxi-dress-2`. A title without a
 * letter that can be transliterated to ASCII becomes `product`. The last candidate is random and therefore always
 * available.
 */
export function slugsFor(title: string): readonly string[] {
  const short = slugify(title, { decamelize: false }).slice(0, baseMaxLength).replace(/-$/, '')
  const base = short === '' ? 'product' : short
  const suffixes = Array.from({ length: numbered - 1 }, (_, index) => `${base}-${index + 2}`)
  return [base, ...suffixes, `${base}-${randomCode(8).toLowerCase()}`]
}
