import slugify from '@sindresorhus/slugify'
import { randomCode } from '../../base/ids.ts'

/** A title may be twice as long, and the longest slug leaves room for a suffix. */
const baseMaxLength = 100

/** How many products of one title are told apart by a small number before chance must do it. */
const numbered = 20

/**
 * The slugs a product may get of its title, best first: `ankara-maxi-dress`, then `ankara-maxi-dress-2`. A title of
 * which no letter can be written in ASCII is called `product`. The last one is random, and so is always free.
 */
export function slugsFor(title: string): readonly string[] {
  const short = slugify(title, { decamelize: false }).slice(0, baseMaxLength).replace(/-$/, '')
  const base = short === '' ? 'product' : short
  const suffixes = Array.from({ length: numbered - 1 }, (_, index) => `${base}-${index + 2}`)
  return [base, ...suffixes, `${base}-${randomCode(8).toLowerCase()}`]
}
