import { readFile } from 'node:fs/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { useApi } from '../support/api.ts'
import { parseAnswer, sendBytes } from '../support/socket.ts'

/** Documents that change only with a release: they are compressed and cacheable. */

const started = useApi()
const root = new URL('../../', import.meta.url)

/** Returns the raw bytes of a response, because fetch would return them decompressed. */
async function get(path: string, headers: readonly string[]) {
  const chunks = await sendBytes(
    started(),
    [`GET ${path} HTTP/1.1`, 'Host: a', ...headers, 'Connection: close', '', ''].join('\r\n'),
    'latin1',
  )
  const { text, ...answer } = parseAnswer(chunks)
  return { ...answer, bytes: Buffer.from(text, 'latin1') }
}

describe.for([
  ['/api/v1/openapi.json', 'openapi.json'],
  ['/api/v1/changelog', 'generated/released/changelog.json'],
] as const)('the static document %s', ([path, file]) => {
  test.for([
    ['br', brotliDecompressSync, 'br, gzip'],
    ['gzip', gunzipSync, 'gzip'],
    ['gzip', gunzipSync, 'br;q=0, gzip;q=0.5'],
    [undefined, (bytes: Buffer) => bytes, 'identity'],
  ] as const)('a static document is sent with the content coding %s', async ([coding, undo, accepted]) => {
    const { headers, bytes } = await get(path, [`Accept-Encoding: ${accepted}`])
    expect(headers.get('content-encoding')).toBe(coding)
    expect(headers.get('vary')).toBe('Accept-Encoding')
    expect(headers.get('content-length')).toBe(String(bytes.byteLength))
    expect(undo(bytes).equals(await readFile(new URL(file, root)))).toBe(true)
  })

  test('a static document has the same ETag in every content coding, and a request with this ETag returns 304', async () => {
    const { headers } = await get(path, ['Accept-Encoding: br'])
    const tag = headers.get('etag') ?? expect.fail('No ETag.')
    for (const coding of ['gzip', 'identity']) {
      const again = await get(path, [`Accept-Encoding: ${coding}`, `If-None-Match: "x", ${tag}`])
      expect({ status: again.status, length: again.bytes.length }).toEqual({ status: 304, length: 0 })
      expect(again.headers.get('etag')).toBe(tag)
      expect(again.headers.get('cache-control')).toBe('public, no-cache')
    }
    expect((await get(path, ['If-None-Match: "x"'])).status).toBe(200)
  })
})
