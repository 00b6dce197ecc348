import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

/** Files that documented commands write into the project folder must not make the project's checks fail. */
test('npm run format and the lint check skip every folder that git ignores', async () => {
  const ignored = (await readFile('.gitignore', 'utf8')).split('\n').filter((line) => line.endsWith('/'))
  const { files } = JSON.parse(await readFile('.biome.json', 'utf8'))
  expect(ignored).toContain('.data/')
  // The second exclamation mark also excludes the folder from Biome's index.
  const skipped = files.includes.map((pattern: string) => pattern.replace(/^!!/, '!'))
  expect(skipped).toEqual(expect.arrayContaining(ignored.map((folder) => `!**/${folder.slice(0, -1)}`)))
})
