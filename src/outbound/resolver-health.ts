/**
 * Decides whether DNS lookups without a response are the fault of a host or of this service's DNS resolver. A failure
 * for a single host does not show whether the host or the resolver is at fault. When several hosts fail in a row
 * without a success between them, the resolver is down, and the failures must not count against merchants.
 */

/** Hosts whose lookups got no response since the resolver last responded, the most recent failure last. */
export type FailureStreak = readonly { readonly host: string; readonly atMs: number }[]

/**
 * Number of consecutive hosts with a failed lookup after which the resolver is treated as down. Two failures may be a
 * coincidence, or concern two domains of one merchant.
 */
const hostsInARow = 3

/**
 * Maximum time between two failed DNS lookups of one streak. Without this maximum, three hosts that no longer exist
 * could form a streak in times of little traffic, although the resolver works.
 */
const windowMs = 60_000

/**
 * The list of failed lookups is empty after the resolver has responded. A response that a name does not exist also
 * empties the list.
 */
export const noFailures: FailureStreak = []

export function recordNoResponse(streak: FailureStreak, host: string, atMs: number): FailureStreak {
  const others = streak.filter((failure) => failure.host !== host && atMs - failure.atMs < windowMs)
  return [...others, { host, atMs }].slice(-hostsInARow)
}

export function isResolverDown(streak: FailureStreak): boolean {
  return streak.length === hostsInARow
}
