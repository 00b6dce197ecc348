import { readFileSync } from 'node:fs'

/** The documents for contributors. The test applies the diffs of these documents in this order. */
export const documents = ['registry/README.md', 'src/README.md', 'src/RECIPES.md'] as const

/** A name that a document gives in parentheses after a path: `path` (`name`, `other`). */
export interface NamedExport {
  readonly document: string
  readonly path: string
  readonly name: string
}

const rootFolders = 'registry|src|scripts|test|generated'

function proseOf(document: string): string {
  return readFileSync(document, 'utf8').replaceAll(/^```[\s\S]*?^```$/gm, '')
}

/** Returns the paths that a document contains in backticks, and the targets of its relative links as paths. */
export function pathsOf(document: string): string[] {
  const prose = proseOf(document)
  const quoted = [...prose.matchAll(new RegExp(`\`((?:${rootFolders})/[^\`\\s]*)\``, 'g'))].map(([, path = '']) => path)
  const linked = [...prose.matchAll(/\]\(([^)#]*)[^)]*\)/g)].map(([, target = '']) => target)
  const folder = new URL(document, 'file:///')
  return [...quoted, ...linked.map((target) => new URL(target, folder).pathname.slice(1))]
}

/**
 * Returns the links of a document to sections. Each link consists of the path of the page and the anchor of the
 * section.
 */
export function anchorsOf(document: string): { readonly path: string; readonly anchor: string }[] {
  const folder = new URL(document, 'file:///')
  return [...proseOf(document).matchAll(/\]\(([^)#]*)#([^)]+)\)/g)].map(([, target = '', anchor = '']) => ({
    path: new URL(target, folder).pathname.slice(1),
    anchor,
  }))
}

export function headingAnchorsOf(document: string): string[] {
  return [...proseOf(document).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^a-z0-9 -]/g, '')
      .replaceAll(' ', '-'),
  )
}

export function namedExportsOf(document: string): NamedExport[] {
  const pattern = new RegExp(`\`((?:${rootFolders})/[^\`\\s]*\\.ts)\`\\s+\\((\`[^)]*\`)\\)`, 'g')
  return [...proseOf(document).matchAll(pattern)].flatMap(([, path = '', names = '']) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => ({ document, path, name })),
  )
}

/** Returns the arrows of the Mermaid diagrams in a document, as `from -> to`. */
export function arrowsOf(document: string): string[] {
  return [...readFileSync(document, 'utf8').matchAll(/^ *(\w+) --> (.+)$/gm)].flatMap(([, from = '', targets = '']) =>
    targets.split(' & ').map((to) => `${from} -> ${to}`),
  )
}

/** A change of one file in a diff: the lines before the change and after it, without their diff markers. */
export interface Change {
  readonly document: string
  readonly path: string
  readonly isNew: boolean
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/** Returns the changes of a document's diff blocks, in order. */
export function changesOf(document: string): Change[] {
  return [...readFileSync(document, 'utf8').matchAll(/^```diff\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) => {
    const [head = '', ...lines] = block.replace(/\n$/, '').split('\n')
    const [, marker = '', path = ''] = /^(---|\+\+\+) (\S+)$/.exec(head) ?? []
    if (path === '') throw new Error(`${document} has a diff whose first line does not name a file: ${head}`)
    return hunksOf(lines).map((hunk) => ({
      document,
      path,
      isNew: marker === '+++',
      before: linesWith(hunk, [' ', '-']),
      after: linesWith(hunk, [' ', '+']),
    }))
  })
}

function hunksOf(lines: readonly string[]): string[][] {
  const hunks: string[][] = [[]]
  for (const line of lines) {
    if (line === '@@') hunks.push([])
    else hunks.at(-1)?.push(line)
  }
  return hunks
}

function linesWith(hunk: readonly string[], markers: readonly string[]): string[] {
  return hunk.filter((line) => markers.includes(line[0] ?? ' ')).map((line) => line.slice(1))
}

/**
 * Returns the text of a file after a change. The lines that the change replaces must occur exactly once in the text.
 * Otherwise the function throws an error that says how to correct the diff.
 */
export function applied(text: string, { document, path, before, after }: Change): string {
  const lines = text.split('\n')
  const starts = lines.flatMap((_, start) =>
    before.every((line, offset) => lines[start + offset] === line) ? start : [],
  )
  const [start] = starts
  if (start === undefined || starts.length > 1) {
    const found = `These lines occur ${starts.length} times in ${path}, and must occur once`
    throw new Error(`${found}. Update the diff in ${document}:\n${before.join('\n')}`)
  }
  return lines.toSpliced(start, before.length, ...after).join('\n')
}
