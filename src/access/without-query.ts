/**
 * Returns a URL without its query: a query may contain credentials, and credentials must not be stored in the audit
 * log.
 */
export function withoutQuery(url: string): string {
  return url.replace(/\?.*/s, '?…')
}
