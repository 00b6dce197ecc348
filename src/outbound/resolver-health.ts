/**
 * Decides whether lookups without a response are the fault of a host or of this service's resolver. For a single host
 * they cannot be distinguished. When several hosts fail in a row without a success between them, the resolver is down,
 * and the failures must not count against merchants.
 */

/** Hosts whose lookups got no response since the last successful one, the most recent last. */
export type FailureStreak = readonly { readonly host: string; readonly atMs: number }[]

/** Two failing hosts may be a coincidence, or two domains of one merchant; three in a row indicate the resolver. */
const hostsInARow = 3

/** Failures further apart are independent: with little traffic, three dead hosts may follow each other. */
const windowMs = 60_000

/** The empty streak, after any response of the resolver, including that a name does not exist. */
export const noFailures: FailureStreak = []

export function recordNoResponse(streak: FailureStreak, host: string, atMs: number): FailureStreak {
  const others = streak.filter((failure) => failure.host !== host && atMs - failure.atMs < windowMs)
  return [...others, { host, atMs }].slice(-hostsInARow)
}

export function isResolverDown(streak: FailureStreak): boolean {
  return streak.length === hostsInARow
}
