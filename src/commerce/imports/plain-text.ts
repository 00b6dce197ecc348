/** Converts the HTML of a product description to text. Descriptions of the service are plain text. */

/** Tags that end a line of text. */
const blockEnd = /<\/(?:p|div|h[1-6]|li|ul|ol|tr|table)>|<br ?\/?>/gi

/** A tag contains no second angle bracket, so that the search takes linear time. */
const tag = /<[^<>]*>/g

const entity = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi

const namedEntities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  rsquo: '’',
  lsquo: '‘',
  rdquo: '”',
  ldquo: '“',
  hellip: '…',
}

export function plainTextOf(html: string): string {
  const text = html.replaceAll(/\r\n?/g, '\n').replaceAll(blockEnd, '\n').replaceAll(tag, '')
  const decoded = text.replaceAll(entity, (written, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return namedEntities[name.toLowerCase()] ?? written
    return characterOf(decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)) ?? written
  })
  const lines = decoded.split('\n').map((line) => line.trim())
  return lines
    .filter((line, index) => line !== '' || lines[index - 1] !== '')
    .join('\n')
    .trim()
}

/** Highest code point of Unicode. */
const codePointMax = 0x10ffff

function characterOf(code: number): string | undefined {
  if (code === 0 || code > codePointMax) return undefined
  const character = String.fromCodePoint(code)
  return character.isWellFormed() ? character : undefined
}
