import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { changelog } from '../../../registry/service/changelog.ts'
import { contractVersion } from '../../../registry/values/version.ts'
import { useApi } from '../../support/api.ts'

const started = useApi()
const path = '/api/v1/changelog'

test('getChangelog returns the changelog of the last release, byte for byte', async () => {
  const reply = await started().send('GET', path)
  expect(reply.status).toBe(200)
  expect(reply.text).toBe(await readFile('generated/released/changelog.json', 'utf8'))
})

test('getChangelog lists the newest release first, with the version of the OpenAPI document', async () => {
  const reply = await started().send('GET', path)
  const { data } = changelog.parse(reply.body)
  expect(data[0]?.version).toBe(contractVersion)
})

test('getChangelog requires no token', async () => {
  expect((await started().send('GET', path, { token: 'nonsense' })).status).toBe(200)
})
