import fc from 'fast-check'

/** Draws one value after another from fast-check’s arbitraries, the same ones again for the same seed. */
export type Draw = <Value>(arbitrary: fc.Arbitrary<Value>) => Value

export function drawing(seed: number): Draw {
  const [generator] = fc.sample(fc.gen(), { seed, numRuns: 1 })
  if (generator === undefined) throw new Error('A sample of one has one.')
  return (arbitrary) => generator(() => arbitrary)
}

/** True so many times in a hundred. */
export function chance(draw: Draw, percent: number): boolean {
  return draw(fc.integer({ min: 0, max: 99 })) < percent
}

/** One of some; undefined of none. The first ones are likelier: they are the newest, or the plainest. */
export function oneOf<Value>(draw: Draw, values: readonly Value[]): Value | undefined {
  if (values.length === 0) return undefined
  const fewMax = Math.min(values.length, 8)
  const max = (chance(draw, 50) ? fewMax : values.length) - 1
  return values[draw(fc.integer({ min: 0, max }))]
}
