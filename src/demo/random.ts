/**
 * A reproducible pseudo-random generator: the same keys give the same values on every machine. For demo data only,
 * never for secrets or ids of real records, which come from ids.ts.
 */
export interface Random {
  /** Returns a random fraction of at least 0 and below 1. */
  fraction(): number
  /** Returns a random whole number from min to max, both included. */
  between(min: number, max: number): number
  chance(percent: number): boolean
  pick<Item>(items: readonly Item[]): Item
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

/** Number of different values of 32 bits. */
const wholeRange = 0x1_0000_0000

/**
 * Chris Doty-Humphrey's sfc32. It has 128 bits of state, so that streams of different keys do not overlap. A part of
 * the state is a counter, so a bad seed cannot lead to a short cycle.
 */
function generatorOf(key: string): () => number {
  let a = hash(key, 0x9e3779b9) // Unrelated start values of the generator: digits of the golden ratio, π and e.
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
  // The first twelve random numbers are skipped: for similar keys, these numbers are still related, and only later ones
  // are independent.
  for (let round = 0; round < 12; round++) next()
  return next
}

/** Fowler–Noll–Vo hash 1a with its 32-bit prime. */
function hash(text: string, start: number): number {
  let value = start | 0
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  }
  return value
}

function present<Item>(item: Item | undefined): Item {
  if (item === undefined) throw new Error('There are no items to pick from.')
  return item
}
