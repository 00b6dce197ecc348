/**
 * A calendar day in UTC, such as 2027-09-01. The TypeScript type also allows days without leading zeros, such as
 * 2027-9-1; a check rejects them.
 */
export type Day = `${number}-${number}-${number}`

/** Deprecation of an operation, which works unchanged until its sunset. */
export interface Deprecation {
  readonly since: Day
  /**
   * Earliest day on which a deprecated operation may be removed, at least `noticeMonths` after `since`. Undefined until
   * this day is decided.
   */
  readonly sunset?: Day
  /** One sentence that names the replacement of the deprecated operation and the reason for its deprecation. */
  readonly advice: string
}

/**
 * Minimum notice in months before the removal of an operation. A year contains every busy season of a merchant once.
 */
export const noticeMonths = 12

interface Named {
  readonly id: string
  readonly tag: string
}

export function operationPage({ id, tag }: Named): string {
  return `/docs/api/${tag.toLowerCase().replaceAll(' ', '-')}/${id}`
}

/**
 * Returns the response headers of a deprecated operation: `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and a link to
 * its reference page. Clients can log them.
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

export function earliestSunset(since: Day): string {
  const day = new Date(since)
  day.setUTCMonth(day.getUTCMonth() + noticeMonths)
  return day.toISOString().slice(0, 10)
}
