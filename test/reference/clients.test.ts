import { gunzipSync } from 'node:zlib'
import { unpackTar } from 'modern-tar'
import { describe, expect, test } from 'vitest'
import { endpoints } from '../../registry/index.ts'
import { useApi } from '../support/api.ts'

const started = useApi()

function get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(`${started().url}/docs/clients${path}`, { redirect: 'manual', headers })
}

describe('the client libraries of the service', () => {
  test.for([
    ['commerce_service_client.py', 'text/x-python; charset=utf-8', 'class AsyncClient'],
    ['CommerceServiceClient.php', 'text/plain; charset=utf-8', 'namespace CommerceService;'],
  ])('the client %s is served with its media type and an ETag', async ([name = '', type, line = '']) => {
    const response = await get(`/${name}`)
    expect(response.headers.get('Content-Type')).toBe(type)
    expect(await response.text()).toContain(line)
    const unchanged = await get(`/${name}`, { 'If-None-Match': response.headers.get('ETag') ?? '' })
    expect(unchanged.status).toBe(304)
  })

  test('the npm package contains every file that its package.json exports', async () => {
    const response = await get('/commerce-service-client.tgz', { 'Accept-Encoding': 'identity' })
    expect(response.headers.get('Content-Type')).toBe('application/gzip')
    const entries = await unpackTar(gunzipSync(Buffer.from(await response.arrayBuffer())))
    const texts = new Map(entries.map(({ header, data }) => [header.name, Buffer.from(data ?? []).toString()]))
    const { exports } = JSON.parse(texts.get('package/package.json') ?? '{}')
    const exported = Object.values<Record<string, string>>(exports).flatMap((entry) => Object.values(entry))
    expect(exported.length).toBe(4)
    for (const path of exported) expect(texts.get(`package/${path.slice(2)}`), path).toMatch(/export/)
    for (const name of ['LICENSE', 'README.md', 'generated/api.d.ts', 'generated/webhook-events.d.ts']) {
      expect(texts.get(`package/${name}`), name).not.toBe('')
      expect(texts.has(`package/${name}`), name).toBe(true)
    }
  })

  test('the Postman collection has one request for each operation, with the address of the service', async () => {
    const response = await get('/commerce-service.postman_collection.json')
    const { variable, item } = JSON.parse(await response.text())
    expect(variable).toContainEqual({ key: 'baseUrl', value: `${started().url}/api/v1` })
    const requests = item.flatMap((folder: { item: object[] }) => folder.item)
    const listed = requests.map(({ request }: { request: { method: string; url: { path: string[] } } }) => {
      return `${request.method} /${request.url.path.join('/')}`
    })
    const operations = Object.values(endpoints).map(({ method, path }) => {
      return `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`
    })
    expect(listed.sort()).toEqual(operations.sort())
  })

  test('/docs/clients redirects to the guide of the client libraries, and an unknown file is not found', async () => {
    const redirect = await get('')
    expect([redirect.status, redirect.headers.get('Location')]).toEqual([308, '/docs/guides/client-libraries'])
    expect((await get('/typescript/src/client/index.js')).status).toBe(404)
  })
})
