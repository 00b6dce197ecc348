import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { changelog } from '../../../registry/service/changelog.ts'
import { contractVersion } from '../../../registry/values/version.ts'
import { useApi } from '../../support/api.ts'

const started = useApi()
const path = '/api/v1/changelog'

test('the bytes are those that the last release wrote', async () => {
  const reply = await started().send('GET', path)
  expect(reply.status).toBe(200)
  expect(reply.text).toBe(await readFile('generated/released/changelog.json', 'utf8'))
})

test('the latest release comes first, and is the version of the document', async () => {
  const reply = await started().send('GET', path)
  const { data } = changelog.parse(reply.body)
  expect(data[0]?.version).toBe(contractVersion)
})

test('nobody needs a token for it', async () => {
  expect((await started().send('GET', path, { token: 'nonsense' })).status).toBe(200)
})
