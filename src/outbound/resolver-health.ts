/**
 * Whose fault is a name that gets no answer? Of one host's, its owner's: a zone whose servers are dead looks from here
 * just like a resolver that is. But when several hosts fail in a row and none succeeds between them, what they have in
 * common is our own resolver, and no merchant may be blamed for it.
 */

/** The hosts that got no answer since the last one that did, the latest last. */
export type Silence = readonly { readonly host: string; readonly atMs: number }[]

/** Two dead names at once are a coincidence, or one merchant with two addresses. With three in a row blame is ours. */
const hostsInARow = 3

/** Failures further apart are no outage: on a quiet night three dead names may follow each other without one. */
const windowMs = 60_000

/** Begins again whenever the resolver answers, be it that a name does not exist. */
export const unbroken: Silence = []

export function recordNoAnswer(silence: Silence, host: string, atMs: number): Silence {
  const others = silence.filter((one) => one.host !== host && atMs - one.atMs < windowMs)
  return [...others, { host, atMs }].slice(-hostsInARow)
}

export function isResolverDown(silence: Silence): boolean {
  return silence.length === hostsInARow
}
