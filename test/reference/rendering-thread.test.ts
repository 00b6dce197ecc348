import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { answerReference } from '../../src/http/reference.ts'
import { openReferenceSite, ReferenceBusyError } from '../../src/reference/thread.ts'

/**
 * Failures of the thread that renders the reference pages. The tests start real threads with programs written for these
 * tests.
 */

let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commerce-thread-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function programOf(text: string): Promise<URL> {
  const path = join(folder, 'program.mjs')
  await writeFile(path, text)
  return pathToFileURL(path)
}

const origin = 'http://127.0.0.1'

test('a page rendering thread that fails to load is replaced for later requests', async () => {
  const program = await programOf(`
    import { existsSync, writeFileSync } from 'node:fs'
    import { parentPort } from 'node:worker_threads'
    const mark = new URL('./mark', import.meta.url)
    if (!existsSync(mark)) {
      writeFileSync(mark, '')
      throw new Error('Nothing can be read.')
    }
    parentPort.on('message', ({ number, url }) => {
      parentPort.postMessage({ number, is: 'entity', entity: { isFound: true, type: url } })
    })
  `)
  const site = openReferenceSite(program)
  const [first, again] = await Promise.all([
    site.find('/docs', origin).catch((error: unknown) => error),
    site.find('/docs', origin).catch(() => site.find('/docs', origin)),
  ])
  expect(first).toMatchObject({ message: 'Nothing can be read.' })
  expect(again).toMatchObject({ type: '/docs' })
})

test('a page rendering thread that hangs has at most a few hundred waiting requests, and further requests are rejected', async () => {
  const site = openReferenceSite(
    await programOf(`import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => {})`),
  )
  let isRefused = false
  for (let asked = 0; asked < 300; asked++) void site.find(`/docs/${asked}`, origin).catch(() => (isRefused = true))
  await expect(site.search('order', origin)).rejects.toThrow(ReferenceBusyError)
  expect(isRefused).toBe(false)
  const visit = { origin, requestId: 'req_0' }
  await expect(answerReference(site, new Request('http://127.0.0.1/docs/one-more'), visit)).rejects.toMatchObject({
    code: 'service_unavailable',
  })
})
