/** A pattern of `like` for whatever contains the text, in which % and _ stand for themselves. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}

/** Whether a text has three letters or digits in a row, which is what an index of trigrams can be entered by. */
export function hasTrigram(text: string): boolean {
  return /[\p{L}\p{N}]{3}/u.test(text)
}
