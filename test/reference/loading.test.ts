import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { openReferenceSite } from '../../src/reference/entities.ts'
import { generatedReference } from '../../src/reference/pages.ts'

test('if the index or a page of the reference could not be read, the next request reads it again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'commerce-reference-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const site = openReferenceSite(pathToFileURL(`${folder}/`))
  const find = () => site.find('/docs/scopes', 'https://shop.example')
  const restore = (name: string) => cp(join(fileURLToPath(generatedReference), name), join(folder, name))

  await expect(find()).rejects.toThrow('index.json')
  await restore('index.json')
  await expect(find()).rejects.toThrow('scopes.html')
  await restore('scopes.html')
  expect(await find()).toMatchObject({ isFound: true, markdownUrl: '/docs/scopes.md' })
})
