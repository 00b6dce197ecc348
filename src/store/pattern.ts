/** A pattern of `like` for whatever contains the text, in which % and _ stand for themselves. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}
