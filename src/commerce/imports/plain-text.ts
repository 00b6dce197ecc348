/**
 * Converts the HTML of an imported product description to text, because this service stores product descriptions as
 * plain text.
 */

/** Tags at which a line of text starts and ends. */
const blockTag =
  /<\/?(?:address|article|aside|blockquote|center|dd|details|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|summary|table|tbody|tfoot|thead|tr|ul)\b[^<>]*>/gi

const lineBreak = /<br\b[^<>]*>/gi

const cellTag = /<t[dh]\b[^<>]*>/gi

/** Matches an HTML tag. The pattern excludes angle brackets within a tag, so that the search takes linear time. */
const tag = /<[^<>]*>/g

/** Patterns of the start and the end of HTML content that a browser does not show: comments, scripts and styles. */
const hidden: readonly { readonly start: RegExp; readonly end: RegExp }[] = [
  { start: /<!--/, end: /-->/ },
  { start: /<script\b/i, end: /<\/script\b[^<>]*>/i },
  { start: /<style\b/i, end: /<\/style\b[^<>]*>/i },
]

/**
 * Removes the content that a browser does not show: the text from each start pattern to the next end pattern or, if the
 * end is missing, to the next start pattern.
 */
function withoutHidden(html: string): string {
  return hidden.reduce((text, { start, end }) => {
    const [first = '', ...rest] = text.split(start)
    return first + rest.map((part) => part.split(end).slice(1).join('')).join('')
  }, html)
}

/**
 * Character that temporarily marks the start and end of a block of text. A file that contains this character was
 * rejected earlier.
 */
const blockMark = '\u0000'

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
  const marked = withoutHidden(html.replaceAll(/\r\n?/g, '\n'))
    .replaceAll(blockTag, blockMark)
    .replaceAll(lineBreak, '\n')
    .replaceAll(cellTag, ' ')
    .replaceAll(tag, '')
  const blocks = marked.split(blockMark).map((block) => linesOf(decodedEntities(block)))
  return blocks.filter((block) => block !== '').join('\n')
}

function decodedEntities(text: string): string {
  return text.replaceAll(entity, (written, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return namedEntities[name.toLowerCase()] ?? written
    return characterOf(decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)) ?? written
  })
}

/** Returns a text without the spaces around each of its lines. Several blank lines in succession become one. */
function linesOf(text: string): string {
  const lines = text.split('\n').map((line) => line.trim())
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
