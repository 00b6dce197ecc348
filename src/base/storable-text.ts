/**
 * Replaces the characters that PostgreSQL cannot store by U+FFFD: NUL, and a surrogate without its other half. Senders
 * produce such a surrogate when they shorten a text within an emoji.
 */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD')
}

/** Applies storableText() to each text of a value, as the replacer of JSON.stringify() or the reviver of JSON.parse(). */
export function storableValue(_: string, value: unknown): unknown {
  return typeof value === 'string' ? storableText(value) : value
}
