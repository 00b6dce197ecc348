/**
 * Returns a percentile: the smallest value that at least this share of the values does not exceed. NaN without values.
 */
export function percentile(ascending: readonly number[], share: number): number {
  return ascending[Math.ceil(ascending.length * share) - 1] ?? Number.NaN
}
