import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { retryAfterIn } from '../../src/outbound/retry-after.ts'
import { classifyResponse } from '../../src/partners/carriers/classify-response.ts'
import { openOutbound } from './outbound.ts'

const date = 'Sat, 21 Nov 2026 09:00:00 GMT'

test.for<[Record<string, string | string[]>, number | undefined]>([
  [{}, undefined],
  [{ 'retry-after': '120' }, 120],
  [{ 'retry-after': ' 0 ' }, 0],
  [{ 'retry-after': ['7', '9'] }, 7],
  [{ 'retry-after': 'Sat, 21 Nov 2026 09:01:30 GMT', date }, 90],
  [{ 'retry-after': 'Sat, 21 Nov 2026 08:00:00 GMT', date }, 0],
  [{ 'retry-after': 'Sat, 21 Nov 2026 09:01:30 GMT' }, undefined],
  [{ 'retry-after': 'soon', date }, undefined],
  [{ 'retry-after': '-5' }, undefined],
  [{ 'retry-after': '99999999999' }, undefined],
])('the retry delay for the headers %o is %s seconds', ([headers, seconds]) => {
  expect(retryAfterIn(headers).retryAfterSeconds).toBe(seconds)
})

test('a carrier’s 429 response pauses the carrier account for the time in Retry-After', async () => {
  const server = createServer((_, response) => response.writeHead(429, { 'Retry-After': '42' }).end('Slow down'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : undefined
    expect(classifyResponse(await openOutbound()(`http://127.0.0.1:${port}`))).toMatchObject({
      is: 'unavailable',
      retryAfterSeconds: 42,
      isOfAccount: true,
    })
  } finally {
    server.close()
  }
})
