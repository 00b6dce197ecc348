import { createHash } from 'node:crypto'

/**
 * Chance that repeats itself: the same keys give the same draw in every process and on every machine, so that a life need
 * not be written down and a run of faults can be had again. Nothing secret is made of it.
 */
export function fractionOf(...keys: readonly (string | number)[]): number {
  // JSON keeps the keys apart: "a", "bc" is not "ab", "c".
  const digest = createHash('sha256').update(JSON.stringify(keys)).digest()
  // Six bytes are the most that a number holds as a fraction without rounding up to 1.
  return digest.readUIntBE(0, 6) / 2 ** 48
}

export function pickBy<Item>(fraction: number, items: readonly [Item, ...Item[]]): Item {
  return items[Math.floor(fraction * items.length)] ?? items[0]
}
