/**
 * Returns a percentile of a list of values: the smallest value such that the given share of the values is not above it.
 * NaN for an empty list.
 */
export function percentile(ascending: readonly number[], share: number): number {
  return ascending[Math.ceil(ascending.length * share) - 1] ?? Number.NaN
}
