/**
 * Chance that repeats itself: the same keys give the same draws on every machine. It is for demo data only and must
 * never make a secret or an id of a real record; those come from ids.ts.
 */
export interface Random {
  /** A fraction of at least 0 and below 1. */
  fraction(): number
  /** A whole number from min to max, both included. */
  between(min: number, max: number): number
  /** True in so many of a hundred cases. */
  chance(percent: number): boolean
  pick<Item>(items: readonly Item[]): Item
  /** Picks an item as often as its weight says. */
  weighted<Item extends { readonly weight: number }>(items: readonly Item[]): Item
}

export function randomOf(...keys: readonly (string | number)[]): Random {
  const next = generatorOf(keys.join('\u0000'))
  const fraction = () => next() / wholeRange
  const random: Random = {
    fraction,
    between: (min, max) => min + Math.floor(fraction() * (max - min + 1)),
    chance: (percent) => fraction() * 100 < percent,
    pick: (items) => present(items[Math.floor(fraction() * items.length)]),
    weighted: (items) => {
      let left = fraction() * items.reduce((total, item) => total + item.weight, 0)
      const reached = items.find((item) => {
        left -= item.weight
        return left < 0
      })
      return present(reached)
    },
  }
  return random
}

/** The number of values of 32 bits. */
const wholeRange = 0x1_0000_0000

/**
 * Chris Doty-Humphrey's sfc32: 128 bits of state, so that streams with different keys do not run into each other. The
 * third word counts and keeps a bad seed from a short cycle.
 */
function generatorOf(key: string): () => number {
  let a = hash(key, 0x9e3779b9) // four unrelated beginnings, taken from the digits of the golden ratio and of roots
  let b = hash(key, 0x243f6a88)
  let c = hash(key, 0xb7e15162)
  let counter = 1
  const next = () => {
    const drawn = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + drawn
    return drawn >>> 0
  }
  // Keys that differ in one character have begun to differ everywhere after a dozen rounds.
  for (let round = 0; round < 12; round++) next()
  return next
}

/** Fowler, Noll and Vo's hash 1a with its prime for 32 bits. */
function hash(text: string, start: number): number {
  let value = start | 0
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  }
  return value
}

function present<Item>(item: Item | undefined): Item {
  if (item === undefined) throw new Error('There is nothing to pick from.')
  return item
}
