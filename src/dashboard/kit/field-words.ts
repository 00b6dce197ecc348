/** Returns the path of a field in words, such as `items 2 unit price` for `items[1].unitPriceKobo`. */
export function fieldWords(path: string): string {
  return path
    .replace(/Kobo$/, '')
    .replaceAll(/\[(\d+)\]/g, (_, index) => ` ${Number(index) + 1}`)
    .replaceAll('.', ' ')
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}
