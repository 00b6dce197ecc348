/** Some servers send a header twice. */
type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * When whoever answered wants to be asked again (RFC 9110, 10.2.3): in so many seconds, or at a moment. A moment is
 * counted from the answer’s own `Date`, because the clock over there may be another than ours.
 */
export function retryAfterIn(headers: Headers): { readonly retryAfterSeconds?: number } {
  const said = first(headers['retry-after'])?.trim()
  if (said === undefined) return {}
  // Ten digits are three hundred years; what is longer is no number of seconds.
  if (/^\d{1,10}$/.test(said)) return { retryAfterSeconds: Number(said) }
  const seconds = Math.ceil((Date.parse(said) - Date.parse(first(headers.date) ?? '')) / 1000)
  return Number.isNaN(seconds) ? {} : { retryAfterSeconds: Math.max(0, seconds) }
}

function first(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.[0]
}
