/** A header that a server repeats has several values. */
type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * Parses Retry-After (RFC 9110, 10.2.3): seconds, or a date. A date is relative to the response's own `Date` header,
 * because the server's clock may differ.
 */
export function retryAfterIn(headers: Headers): { readonly retryAfterSeconds?: number } {
  const value = first(headers['retry-after'])?.trim()
  if (value === undefined) return {}
  // Retry-After states the delay in seconds. Ten digits can already mean three hundred years, so a longer number is not
  // treated as a delay.
  if (/^\d{1,10}$/.test(value)) return { retryAfterSeconds: Number(value) }
  const seconds = Math.ceil((Date.parse(value) - Date.parse(first(headers.date) ?? '')) / 1000)
  return Number.isNaN(seconds) ? {} : { retryAfterSeconds: Math.max(0, seconds) }
}

function first(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.[0]
}
