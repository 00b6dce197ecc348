import { createHash } from 'node:crypto'

/**
 * Returns a reproducible pseudo-random fraction: the same keys give the same value in every process. The life cycle of
 * a simulated order therefore need not be stored, and a run with faults can be repeated. Not for secrets.
 */
export function fractionOf(...keys: readonly (string | number)[]): number {
  // The keys are hashed as a JSON array, so that the keys "a", "bc" and the keys "ab", "c" give different hashes.
  const digest = createHash('sha256').update(JSON.stringify(keys)).digest()
  // Only six bytes of the hash are used: a double has 53 bits, so a fraction computed from more bytes could be rounded
  // up to 1.
  return digest.readUIntBE(0, 6) / 2 ** 48
}

export function pickBy<Item>(fraction: number, items: readonly [Item, ...Item[]]): Item {
  return items[Math.floor(fraction * items.length)] ?? items[0]
}
