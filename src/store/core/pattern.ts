/**
 * Reports whether a text has three consecutive letters or digits, which a trigram index needs. As in search_key(),
 * diacritical marks are ignored.
 */
export function hasTrigram(text: string): boolean {
  return /[\p{L}\p{N}]{3}/u.test(text.normalize('NFKD').replace(/\p{M}/gu, ''))
}
