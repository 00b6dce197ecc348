import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blocksOf, faultsOfBlocks } from '../support/run-blocks.ts'

/** The runner of the guides' code blocks must see a block that fails, whatever it is. */

const answer = JSON.stringify({ data: [{ id: 'ord_1', totalKobo: 5, paidAt: null }], extra: true })
const server = createServer((incoming, outgoing) => {
  outgoing.statusCode = incoming.headers.authorization === 'Bearer svc_test_x' ? 200 : 401
  outgoing.end(answer)
})
let url: string
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
})
afterAll(() => server.close())

const fence = '```'
const block = (words: string, code: string) => `${fence}${words}\n${code}\n${fence}\n`
const run = (...blocks: string[]) =>
  faultsOfBlocks(`# A guide\n\n${blocks.join('\nThen:\n\n')}`, { url, token: 'svc_test_x', hasPython: false })

const ask = block('bash', 'curl -s http://127.0.0.1:3000/orders -H "Authorization: Bearer $COMMERCE_TOKEN"')

describe('a page whose blocks hold', () => {
  test('shares one shell, one folder and what it was told to write', async () => {
    const faults = await run(
      block('bash', 'export GREETING=ẹ\nshop() { echo "$1"; }\necho kept > file.txt'),
      block('ts title="greet.ts"', "export const greeting: string = process.env['GREETING'] ?? ''"),
      block('bash', 'shop "$GREETING" && cat file.txt && node --eval "import(\'./greet.ts\')"'),
      block('text', 'ẹ'),
      block('ts', "import { greeting } from './greet.ts'\nif (greeting !== 'ẹ') process.exit(1)"),
    )
    expect(faults).toEqual([])
  })

  test('asks the demo with its token, and shows a part of the answer', async () => {
    expect(await run(ask, block('json', '{ "data": [{ "id": "ord_7", "totalKobo": 9, "paidAt": "2026" }] }'))).toEqual(
      [],
    )
  })

  test('leaves out Python, with what it prints, where there is none', async () => {
    expect(await run(block('python', 'raise SystemExit(1)'), block('json', '{ "never": true }'))).toEqual([])
  })
})

describe('a page that fails', () => {
  test.for([
    ['a command that fails', [block('bash', 'false')], /Line 3, bash: it ends with 1/],
    ['a command that fails before others', [block('bash', 'false\ntrue')], /ends with 1/],
    ['a shell that is left', [block('bash', 'exit 0'), block('bash', 'true')], /ends with/],
    ['a program that throws', [block('ts', "throw new Error('No.')")], /ts: it ends with 1.*No\./s],
    ['a file that nothing uses', [block('ts title="lost.ts"', 'export {}')], /nothing uses lost\.ts/],
    ['a language that does not run', [block('yaml', 'a: 1')], /yaml: neither runs/],
    ['no language', [block('', 'true')], /no language: neither runs/],
    ['output of nothing', [block('bash', 'true'), block('text', 'Done.')], /prints nothing/],
    [
      'a field that is not there',
      [ask, block('json', '{ "data": [{ "total": 1 }] }')],
      /\.data\[0\]\.total is not there/,
    ],
    ['a field of another type', [ask, block('json', '{ "data": [{ "id": 1 }] }')], /\.data\[0\]\.id is a string/],
    ['a list that is none', [ask, block('json', '{ "extra": [] }')], /\.extra is no list/],
  ] as const)('with %s', async ([, blocks, fault]) => {
    expect((await run(...blocks)).join()).toMatch(fault)
  })
})

test('blocks are found in a list too, and without its indentation', () => {
  const page = `1. First:\n\n   ${fence}bash title="a.sh"\n   echo\n     deeper\n   ${fence}\n`
  expect(blocksOf(page)).toEqual([{ language: 'bash', title: 'a.sh', code: 'echo\n  deeper\n', line: 3 }])
})
