/** Returns a LIKE pattern that matches values containing the text. Escapes `%` and `_`. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}

/** Reports whether a text has three consecutive letters or digits, which a trigram index needs. */
export function hasTrigram(text: string): boolean {
  return /[\p{L}\p{N}]{3}/u.test(text)
}
