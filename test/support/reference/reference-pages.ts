import { readdir, readFile } from 'node:fs/promises'

const folder = new URL('../../../generated/reference/', import.meta.url)

/** The reference as it is checked in, by path. */
export async function referencePages(): Promise<ReadonlyMap<string, string>> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.md')).sort()
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')))
  return new Map(names.map((name, index) => [name.slice(0, -'.md'.length), texts[index] ?? '']))
}

/** The pages that are run whole, block after block, as they are read. */
export function isRunWhole(path: string): boolean {
  return path === 'index' || path.startsWith('guides/')
}

/** What the loop of a list is called on the page of the list. */
export const loopTitle = 'Every page'
