const secondMs = 1000

/**
 * Returns the message about a sign-in attempt that was not verified: too many attempts failed before, or too many are
 * being verified now.
 */
export function delayOf({
  is,
  retryAfterMs,
}: {
  readonly is: 'backed_off' | 'busy'
  readonly retryAfterMs: number
}): string {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / secondMs))
  const reason = is === 'busy' ? 'Many people are signing in.' : 'Too many sign-in attempts failed.'
  return `${reason} Try again in ${seconds === 1 ? 'a second' : `${seconds} seconds`}.`
}
