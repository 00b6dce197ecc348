/** Returns the text of a page without its markup, with single spaces. */
export function textOf(page: string): string {
  return page
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
