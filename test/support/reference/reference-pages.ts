import { readdir, readFile } from 'node:fs/promises'

const folder = new URL('../../../generated/reference/', import.meta.url)

/** Returns the generated pages of the API reference, by path. */
export async function referencePages(): Promise<ReadonlyMap<string, string>> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.md')).sort()
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')))
  return new Map(names.map((name, index) => [name.slice(0, -'.md'.length), texts[index] ?? '']))
}

/** Whether a test runs all code blocks of the page, one after another. */
export function isRunWhole(path: string): boolean {
  return path === 'index' || path.startsWith('guides/')
}

/** The title of the code block with the pagination loop on the page of a list operation. */
export const loopTitle = 'Every page'
