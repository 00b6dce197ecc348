/** A calendar day, UTC, as 2027-09-01: the guard refuses one without its zeros, which the type cannot. */
export type Day = `${number}-${number}-${number}`

/** An operation that should no longer be called. It works as before until its sunset. */
export interface Deprecation {
  readonly since: Day
  /** From when on it may be gone; never sooner than `noticeMonths` after `since`. None while nobody knows. */
  readonly sunset?: Day
  /** What to call instead, and why, in a sentence. */
  readonly advice: string
}

/** A merchant’s developers are busy with their own season: a year holds each of them once. */
export const noticeMonths = 12

interface Named {
  readonly id: string
  readonly tag: string
}

/** Where the reference tells of an operation. */
export function operationPage({ id, tag }: Named): string {
  return `/docs/api/${tag.toLowerCase().replaceAll(' ', '-')}/${id}`
}

/**
 * What each answer of a deprecated operation says: since when (RFC 9745), until when (RFC 8594), and where to read what to
 * do. Programs that log these headers learn of it before their authors do.
 */
export function deprecationHeaders(endpoint: Named & { readonly deprecated?: Deprecation }): Record<string, string> {
  const { deprecated } = endpoint
  if (deprecated === undefined) return {}
  const { since, sunset } = deprecated
  return {
    Deprecation: `@${Date.parse(since) / 1000}`,
    ...(sunset === undefined ? {} : { Sunset: new Date(sunset).toUTCString() }),
    Link: `<${operationPage(endpoint)}>; rel="deprecation"; type="text/html"`,
  }
}

/** The first day on which something deprecated since then may go. */
export function earliestSunset(since: Day): string {
  const day = new Date(since)
  day.setUTCMonth(day.getUTCMonth() + noticeMonths)
  return day.toISOString().slice(0, 10)
}
