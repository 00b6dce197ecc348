export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows.map((cells) => cells.map(cell))]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

function cell(text: string): string {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.join(' ').replaceAll(/(?<!\\)\|/g, '\\|')
}

/** The site shows adjacent blocks with titles as tabs. */
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

/**
 * Returns a link that starts at the root of the reference. page.ts makes the link relative to the page that contains
 * it.
 */
export function link(text: string, path: string): string {
  return `[${text}](/${path}.md)`
}

/** Returns "a", "a and b" or "a, b and c". */
export function listed(words: readonly string[], last = 'and'): string {
  if (words.length < 2) return words.join('')
  return `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`
}

export function firstSentence(text: string): string {
  return text.match(/^.*?[.!?](?=\s|$)/s)?.[0] ?? text
}

/** Returns a text without Markdown, for titles, the search index and alternative texts. */
export function plain(text: string): string {
  return text
    .replaceAll(/\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replaceAll(/[`*]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
