import fc from 'fast-check'

/** Draws values from fast-check’s arbitraries. The same seed gives the same values. */
export type Draw = <Value>(arbitrary: fc.Arbitrary<Value>) => Value

export function drawing(seed: number): Draw {
  const [generator] = fc.sample(fc.gen(), { seed, numRuns: 1 })
  if (generator === undefined) throw new Error('fast-check returned an empty sample.')
  return (arbitrary) => generator(() => arbitrary)
}

export function chance(draw: Draw, percent: number): boolean {
  return draw(fc.integer({ min: 0, max: 99 })) < percent
}

/**
 * Returns one of the values, or undefined when the list is empty. The first eight values are chosen more often, because
 * they belong to newer records.
 */
export function oneOf<Value>(draw: Draw, values: readonly Value[]): Value | undefined {
  if (values.length === 0) return undefined
  const fewMax = Math.min(values.length, 8)
  const max = (chance(draw, 50) ? fewMax : values.length) - 1
  return values[draw(fc.integer({ min: 0, max }))]
}
