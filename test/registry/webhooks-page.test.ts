import { execFileSync, spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { eventKinds } from '../../registry/kit/event.ts'
import { events } from '../../registry/webhooks/webhooks.ts'

/** The page for receivers, as it is checked in; that it is current is openapi.test.ts's. */

const page = await readFile(new URL('../../generated/reference/webhooks.md', import.meta.url), 'utf8')

test('every kind has its meaning and a link to its page', () => {
  for (const kind of eventKinds)
    expect(page).toContain(`| [\`${kind}\`](webhooks/${kind}.md) | ${events[kind].meaning} |`)
})

const example =
  page.match(/with the secret\n\n```\n(\S+)\n```.*?```json\n(.*?)\n```.*?Service-Signature: t=(\d+),v1=(\w+)/s) ?? []

test('the worked example is right', () => {
  const [, secret = '', body = '', timestamp = '', digest = ''] = example
  expect(createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')).toBe(digest)
})

const hasOpenssl = spawnSync('openssl', ['version']).status === 0
if (!hasOpenssl) console.warn('openssl is not on this machine: the command of the worked example is not tested here.')

test.skipIf(!hasOpenssl)('the command beside it gives the same', () => {
  const command = page.match(/```sh\n(printf .*)\n```/)?.[1] ?? ''
  expect(execFileSync('sh', ['-c', command]).toString()).toContain(example[4])
})

test('the code is that of the files, and no language is left out', async () => {
  const folder = new URL('../../src/receiver/', import.meta.url)
  for (const name of await readdir(folder)) {
    const code = await readFile(new URL(name, folder), 'utf8')
    expect(page).toContain(`\`src/receiver/${name}\`\n\n\`\`\``)
    expect(page).toContain(`\n${code.trimEnd()}\n\`\`\`\n`)
  }
})
