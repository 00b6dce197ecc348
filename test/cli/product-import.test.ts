import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { shopifyDress, shopifyFile } from '../support/commerce/import-files.ts'
import { useDatabase } from '../support/database.ts'
import { commerce, commerceJson } from './commerce.ts'

const opened = useDatabase()

async function arrange(bytes: Buffer) {
  const { connectionString } = opened()
  const merchant: { id?: unknown } = Object(
    await commerceJson(connectionString, 'merchant', 'create', '--name', 'Adire'),
  )
  const folder = await mkdtemp(join(tmpdir(), 'commerce-import-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'products.csv')
  await writeFile(file, bytes)
  return { connectionString, file, words: ['product', 'import', file, '--merchant', String(merchant.id)] }
}

test('the command `product import` creates the products of a file, and a dry run creates none', async () => {
  const { connectionString, words } = await arrange(shopifyFile(shopifyDress))
  const checked = await commerce(connectionString, ...words, '--dry-run')
  expect(checked).toMatchObject({ code: 0, stderr: '' })
  expect(checked.stdout).toContain('Products: 1 would be created, 0 exist already, 0 have problems.')
  expect(await commerceJson(connectionString, ...words)).toMatchObject({ created: 1, existing: 0, failed: 0 })
  expect((await commerce(connectionString, ...words)).stdout).toContain('Products: 0 created, 1 exists already')
})

test('the command `product import` lists problems by line and column, and exits with 1', async () => {
  const { connectionString, words } = await arrange(
    shopifyFile([{ Handle: 'a', Title: 'A', 'Variant Price': '12.500,00' }]),
  )
  const { code, stdout, stderr } = await commerce(connectionString, ...words)
  expect(code).toBe(1)
  expect(stdout).toMatch(/2 +Variant Price +Must be a price in naira/)
  expect(stderr).toBe('1 product has problems. Correct the file and import it again.\n')
})

test('the command `product import` shows the first hundred problems, and lists all with --json', async () => {
  const rows = Array.from({ length: 150 }, (_, index) => ({ Handle: `a-${index}`, Title: 'A', 'Variant Price': 'x' }))
  const { connectionString, words } = await arrange(shopifyFile(rows))
  const { stdout } = await commerce(connectionString, ...words, '--dry-run')
  expect(stdout.match(/Must be a price in naira/g)).toHaveLength(100)
  expect(stdout).toContain('50 more problems are not listed.')
  const all = await commerce(connectionString, ...words, '--dry-run', '--json')
  expect(Object(JSON.parse(all.stdout)).problems).toHaveLength(150)
})

test('the command `product import` names the line at which a file is malformed', async () => {
  const { connectionString, words, file } = await arrange(Buffer.from('Handle,Title,Variant Price\na,"A,1\n'))
  const { code, stderr } = await commerce(connectionString, ...words)
  expect(code).toBe(1)
  expect(stderr).toContain(`${file}:2: A quotation mark`)
})

test('the command `product import` exits with 2 for a file that does not exist', async () => {
  const { connectionString, words } = await arrange(Buffer.from(''))
  const [noun = '', verb = '', , ...more] = words
  expect(await commerce(connectionString, noun, verb, '/no/such/file.csv', ...more)).toMatchObject({ code: 2 })
})
