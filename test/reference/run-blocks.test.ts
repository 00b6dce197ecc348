import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sampleIds } from '../../registry/kit/sample-ids.ts'
import { blocksOf, faultsOfBlocks } from '../support/reference/run-blocks.ts'

/** The code that runs the code blocks of the guides must report every block that fails. */

const id = `ord_${'7'.repeat(26)}`
const otherId = `ord_${'8'.repeat(26)}`
const moment = '2026-11-21T21:12:04.174Z'
const answer = JSON.stringify({
  data: [{ id, totalKobo: 5, paidAt: null, createdAt: moment }, { id: otherId }],
  extra: true,
})
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

const printing = (text: string) => block('bash', `cat <<'END'\n${text}\nEND`)

const ask = block('bash', 'curl -s http://127.0.0.1:3000/orders -H "Authorization: Bearer $COMMERCE_TOKEN"')

describe('code blocks of a page', () => {
  test('the code blocks of a page share one shell, one folder and the files that they write', async () => {
    const faults = await run(
      block('bash', 'export GREETING=ẹ\nshop() { echo "$1"; }\necho kept > file.txt'),
      block('ts title="greet.ts"', "export const greeting: string = process.env['GREETING'] ?? ''"),
      block('bash', 'shop "$GREETING" && cat file.txt && node --eval "import(\'./greet.ts\')"'),
      block('text', 'ẹ\nkept'),
      block('ts', "import { greeting } from './greet.ts'\nif (greeting !== 'ẹ') process.exit(1)"),
    )
    expect(faults).toEqual([])
  })

  test('code blocks send their requests to the demo server with the demo token, and a page may show only some fields of a response', async () => {
    const shown = { data: [{ id: otherId, totalKobo: 5, paidAt: null, createdAt: '2027-01-01T00:00:00.000Z' }] }
    expect(await run(ask, block('json', JSON.stringify(shown)))).toEqual([])
  })

  test.for([
    ['an id', id, otherId],
    ['an order’s number', 'ORD-STW60WN2 is paid.', 'ORD-HJ4YP1A0 is paid.'],
    ['a token', `svc_test_${'a'.repeat(38)}`, `svc_test_${'B'.repeat(38)}`],
    ['a secret', `whsec_${'a'.repeat(43)}=`, `whsec_${'+/'.repeat(21)}B=`],
    ['a signature', `t=1795303678,v1=${'a'.repeat(64)}`, `t=1795303679,v1=${'b'.repeat(64)}`],
    ['a timestamp', `At ${moment}.`, 'At 2027-01-01T00:00:00.000Z.'],
    ['an elision within a line', 'one, … and three', 'one, two and three'],
    ['elided lines', 'one\n…\nfour', 'one\ntwo\nthree\nfour'],
    ['elided lines at the end', 'one\n…', 'one\ntwo'],
  ])('the output that a page shows may differ from the actual output by %s', async ([, shown = '', printed = '']) => {
    expect(await run(printing(printed), block('text', shown))).toEqual([])
  })

  test('a Python code block and its shown output are skipped when Python is not installed', async () => {
    expect(await run(block('python', 'raise SystemExit(1)'), block('json', '{ "never": true }'))).toEqual([])
  })
})

describe('documentation pages that the check of code blocks reports', () => {
  test.for([
    ['a command that fails', [block('bash', 'false')], /Line 3, bash: it ends with 1/],
    ['a command that fails before others', [block('bash', 'false\ntrue')], /ends with 1/],
    ['a shell that exits', [block('bash', 'exit 0'), block('bash', 'true')], /ends with/],
    ['a program that throws', [block('ts', "throw new Error('No.')")], /ts: it ends with 1.*No\./s],
    ['a file that no block uses', [block('ts title="lost.ts"', 'export {}')], /nothing uses lost\.ts/],
    ['a language that cannot be run', [block('yaml', 'a: 1')], /yaml: neither runs/],
    ['no language', [block('', 'true')], /no language: neither runs/],
    ['output of a block that prints nothing', [block('bash', 'true'), block('text', 'Done.')], /prints nothing/],
    [
      'output of a file',
      [block('bash title="a.sh"', 'true'), block('text', 'Done.'), block('bash', '. ./a.sh')],
      /nothing before it that prints/,
    ],
    ['output before any program', [block('text', 'Done.')], /nothing before it that prints/],
    ['a request whose error would go unnoticed', [ask, block('bash', 'true')], /curl needs -f/],
    ['an unknown field', [ask, block('json', '{ "data": [{ "total": 1 }] }')], /\.data\[0\]\.total is not there/],
    ['a field of another type', [ask, block('json', '{ "data": [{ "id": 1 }] }')], /\.data\[0\]\.id is "ord_/],
    [
      'a field of another value',
      [ask, block('json', '{ "data": [{ "totalKobo": 6 }] }')],
      /\.data\[0\]\.totalKobo is 5/,
    ],
    ['a value instead of null', [ask, block('json', '{ "data": [{ "paidAt": "2026" }] }')], /\.paidAt is null/],
    [
      'a list element that differs',
      [ask, block('json', `{ "data": [{}, { "id": "${id.replace('ord', 'rfd')}" }] }`)],
      /\.data\[1\]\.id: “rfd_/,
    ],
    [
      'more list elements than printed',
      [ask, block('json', '{ "data": [{}, {}, { "id": 1 }] }')],
      /\.data\[2\] is not there/,
    ],
    ['a list that is not printed as one', [ask, block('json', '{ "extra": [] }')], /\.extra is no list/],
    ['an empty list that is not empty', [ask, block('json', '{ "data": [] }')], /\.data is not empty/],
    ['JSON without a value', [ask, block('json', '{ "data": [{}] }')], /nothing that could be compared/],
    ['text without a value', [printing('Done.'), block('text', '…')], /nothing that could be compared/],
    [
      'text that differs',
      [printing('7 orders wait.'), block('text', '8 orders wait.')],
      /“8 orders wait\.” is “7 orders wait\.”/,
    ],
    ['an additional line', [printing('one'), block('text', 'one\ntwo')], /“two” is not printed/],
    ['a missing line', [printing('one\ntwo'), block('text', 'one')], /“two” is printed as well/],
    ['an elision that covers no line', [printing('one\ntwo'), block('text', 'one\n…\ntwo')], /“two” is not printed/],
    ['an elision at the end that covers no line', [printing('one'), block('text', 'one\n…')], /stands for no line/],
    ['an id of another type', [printing(id), block('text', id.replace('ord', 'rfd'))], /“rfd_/],
    [
      'a token of the other mode',
      [printing(`svc_test_${'a'.repeat(38)}`), block('text', `svc_live_${'a'.repeat(38)}`)],
      /“svc_live_/,
    ],
    [
      'one id shown for two',
      [printing(`${id} ${otherId}`), block('text', `${otherId} ${otherId}`)],
      /ord_8+ stood for ord_7+ above, and is ord_8+ here/,
    ],
    [
      'two ids shown for one',
      [ask, block('json', `{ "data": [{ "id": "${otherId}" }] }`), printing(id), block('text', id)],
      /ord_7+ was shown as ord_8+ above/,
    ],
    [
      'an id of the document’s examples that is not printed',
      [printing(id), block('text', sampleIds.order)],
      /ord_01jd\w+ is ord_7/,
    ],
    [
      'another order number than the document’s examples',
      [printing('ORD-7K2M9QX4'), block('text', 'ORD-STW60WN2')],
      /ORD-STW60WN2 is ORD-7K/,
    ],
  ] as const)('the check of code blocks reports a page with %s', async ([, blocks, fault]) => {
    expect((await run(...blocks)).join()).toMatch(fault)
  })
})

test('the check of documentation pages finds code blocks in a list, and removes their indentation', () => {
  const page = `1. First:\n\n   ${fence}bash title="a.sh"\n   echo\n     deeper\n   ${fence}\n`
  expect(blocksOf(page)).toEqual([{ language: 'bash', title: 'a.sh', code: 'echo\n  deeper\n', line: 3 }])
})
