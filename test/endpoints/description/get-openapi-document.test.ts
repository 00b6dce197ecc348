import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { openApiDocument } from '../../../registry/openapi/openapi.ts'
import { newToken } from '../../../src/access/token-format.ts'
import { useApi } from '../../support/api.ts'
import { openShop } from '../../support/shop.ts'

const started = useApi()
const path = '/api/v1/openapi.json'

describe('200 responses of getOpenApiDocument', () => {
  test('getOpenApiDocument returns the released OpenAPI file, byte for byte', async () => {
    const reply = await started().send('GET', path)
    expect(reply.text).toBe(await readFile(new URL('../../../openapi.json', import.meta.url), 'utf8'))
  })

  test('the document of getOpenApiDocument is OpenAPI 3.1 and matches the registry', async () => {
    const reply = await started().send('GET', path)
    expect(reply.body.openapi).toMatch(/^3\.1\./)
    expect(reply.body).toEqual(JSON.parse(JSON.stringify(openApiDocument())))
  })

  test('getOpenApiDocument accepts any token, or no token', async () => {
    const api = started()
    const shop = await openShop(api.context)
    for (const token of [shop.token, newToken('live'), 'nonsense', undefined]) {
      expect((await api.send('GET', path, { token })).status).toBe(200)
    }
  })
})
