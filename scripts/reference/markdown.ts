/** The few forms of Markdown the reference is written in. */

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows.map((cells) => cells.map(cell))]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

/** A table is one line a row, and a bar would end the cell. */
function cell(text: string): string {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.join(' ').replaceAll(/(?<!\\)\|/g, '\\|')
}

/** Neighbouring fences with titles are shown as tabs. */
export function fenced(text: string, language = '', title?: string): string {
  const named = title === undefined ? '' : ` title="${title}"`
  return `\`\`\`${language}${named}\n${text.trimEnd()}\n\`\`\``
}

export function json(value: unknown, title?: string): string {
  return fenced(JSON.stringify(value, null, 2), 'json', title)
}

export function code(text: string): string {
  return `\`${text}\``
}

/** Links are written from the root of the reference; page.ts makes them relative to the page they stand on. */
export function link(text: string, path: string): string {
  return `[${text}](/${path}.md)`
}

/** "a", "a and b", "a, b and c". */
export function listed(words: readonly string[], last = 'and'): string {
  if (words.length < 2) return words.join('')
  return `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`
}

/** What stands before the first full stop that ends a sentence. */
export function firstSentence(text: string): string {
  return text.match(/^.*?[.!?](?=\s|$)/s)?.[0] ?? text
}

/** The words alone, for titles, searches and alternative texts. */
export function plain(text: string): string {
  return text
    .replaceAll(/\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replaceAll(/[`*]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
