/** A query may hold the receiver's own credentials, which do not belong in a log that is kept for ever. */
export function withoutQuery(url: string): string {
  return url.replace(/\?.*/s, '?…')
}
