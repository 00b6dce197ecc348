import { execFileSync, spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { eventKinds } from '../../registry/kit/event.ts'
import { events } from '../../registry/webhooks/webhooks.ts'

/** Tests the reference pages in the repository. openapi.test.ts tests that they are up to date with the registry. */

const reference = new URL('../../generated/reference/', import.meta.url)
const guide = await readFile(new URL('guides/webhooks.md', reference), 'utf8')
const page = await readFile(new URL('webhook-signatures.md', reference), 'utf8')

test('the webhooks guide links to the page of each event kind and states when the event is sent', () => {
  for (const kind of eventKinds)
    expect(guide).toContain(`| [\`${kind}\`](../webhooks/${kind}.md) | ${events[kind].meaning} |`)
})

const example =
  page.match(/The signing secret\n\n```\n(\S+)\n```.*?```json\n(.*?)\n```.*?Service-Signature: t=(\d+),v1=(\w+)/s) ?? []

test('the worked example of the webhooks guide has the correct signature', () => {
  const [, secret = '', body = '', timestamp = '', digest = ''] = example
  expect(createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')).toBe(digest)
})

const hasOpenssl = spawnSync('openssl', ['version']).status === 0
if (!hasOpenssl) console.warn('openssl is not installed: the command of the worked example is not tested.')

test.skipIf(!hasOpenssl)('the openssl command of the webhooks guide’s worked example prints the same signature', () => {
  const command = page.match(/```sh\n(printf .*)\n```/)?.[1] ?? ''
  expect(execFileSync('sh', ['-c', command]).toString()).toContain(example[4])
})

test('the webhooks guide shows every file of src/receiver unchanged', async () => {
  const folder = new URL('../../src/receiver/', import.meta.url)
  for (const name of await readdir(folder)) {
    const code = await readFile(new URL(name, folder), 'utf8')
    expect(page).toContain(`\`src/receiver/${name}\`\n\n\`\`\``)
    expect(page).toContain(`\n${code.trimEnd()}\n\`\`\`\n`)
  }
})
