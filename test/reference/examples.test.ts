import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { errorCodes, isErrorCode, transportCodes } from '../../registry/errors/index.ts'
import { type EndpointId, endpoints } from '../../registry/index.ts'
import { errorBodies } from '../../registry/kit/error-body.ts'
import { eventKinds } from '../../registry/kit/event.ts'
import { at } from '../../registry/openapi/guard-parts.ts'
import { openApiDocument } from '../../registry/openapi/openapi.ts'
import { operationPath } from '../../scripts/reference/contract.ts'
import { samplesOf } from '../../scripts/reference/samples.ts'
import { verifyWebhook } from '../../src/receiver/verify-webhook.ts'
import { endpointIds } from '../support/answers.ts'
import { faultsOfAnswer, faultsOfValue } from '../support/contract/document.ts'
import { isRunWhole, loopTitle, referencePages } from '../support/reference/reference-pages.ts'
import { type Block, blocksOf } from '../support/reference/run-blocks.ts'

/**
 * Every code block of the reference must be run or validated by a test. This test finds the test of each block, fails
 * if a block has none, and validates the JSON examples against the OpenAPI document.
 */

const pages = await referencePages()
const document: unknown = openApiDocument()

const receivers = new URL('../../src/receiver/', import.meta.url)
const receiverFiles = new Set(
  await Promise.all((await readdir(receivers)).map((name) => readFile(new URL(name, receivers), 'utf8'))),
)

type Proof =
  | 'guides.test.ts runs it'
  | 'samples.test.ts runs it'
  | 'test/receiver runs it'
  | 'the document describes it'
  | 'the worked example is made again'

/** Returns the test that runs or validates a code block. Undefined when there is none. */
function proofOf(path: string, block: Block): Proof | undefined {
  const { title = '', language, code } = block
  if (isRunWhole(path)) return 'guides.test.ts runs it'
  if (path === 'webhook-signatures') return receiverFiles.has(code) ? 'test/receiver runs it' : workedProof(block)
  if (language === 'json' || language === 'http') return faultsOf(path, block) && 'the document describes it'
  if (!path.startsWith('api/')) return undefined
  if (title === loopTitle) return 'guides.test.ts runs it'
  const id = operationOf(path)
  const isSample = samplesOf(id).some((sample) => `${sample.code.trimEnd()}\n` === code)
  return isSample ? 'samples.test.ts runs it' : undefined
}

function workedProof({ line }: Block): Proof | undefined {
  return worked().some((block) => block.line === line) ? 'the worked example is made again' : undefined
}

function operationOf(path: string): EndpointId {
  const id = endpointIds.find((each) => operationPath(endpoints[each]) === path)
  return id ?? expect.fail(`${path} is no operation’s page.`)
}

/**
 * Returns the differences between an example and the OpenAPI document. Undefined when the document does not describe
 * this kind of example.
 */
function faultsOf(path: string, { title = '', language, code }: Block): string[] | undefined {
  const [section = '', name = ''] = path.split('/')
  if (section === 'webhooks' && language === 'http') return headerFaults(name, code)
  const value: unknown = language === 'json' ? JSON.parse(code) : undefined
  const status = Number(/^(\d{3}) /.exec(title)?.[1])
  if (section === 'api') {
    const { method, path: template } = endpoints[operationOf(path)]
    if (title === 'Request body')
      return faultsOfValue([...operationAt(template, method), 'requestBody', ...json], value)
    return Number.isNaN(status) ? undefined : faultsOfAnswer(method, template, status, value)
  }
  if (section === 'webhooks' && title === 'Body')
    return faultsOfValue(['webhooks', name, 'post', 'requestBody', ...json], value)
  if (section !== 'errors') return undefined
  const named = String(at(value, 'error', 'code'))
  const isOwn = name === '' || (named === name && at(value, 'error', 'status') === status)
  return isOwn ? errorFaults(named, value) : [`It is ${named}.`]
}

const json = ['content', 'application/json', 'schema']

function operationAt(template: string, method: string): string[] {
  return ['paths', template, method.toLowerCase()]
}

/**
 * Validates an error against the schema that declares its error code. Clients find the schema by this code, too. Errors
 * that occur before the operation is determined have no schema in the document.
 */
function errorFaults(code: string, value: unknown): string[] {
  const schemas = Object.entries(Object(at(document, 'components', 'schemas')))
  const found = schemas.find(([, schema]) => {
    const declared = at(schema, 'properties', 'error', 'properties', 'code')
    return at(declared, 'const') === code || at(declared, 'enum', '0') === code
  })
  if (found !== undefined) return faultsOfValue(['components', 'schemas', found[0]], value)
  const transport = transportCodes.find((each) => each === code)
  const checked = transport === undefined ? undefined : errorBodies.get(transport)?.safeParse(value)
  return checked?.success === true ? [] : [`${code} has no schema, or another one.`]
}

/**
 * Validates the example headers of a webhook delivery: each must match the declared parameter, and no declared header
 * may be missing.
 */
function headerFaults(kind: string, code: string): string[] {
  const declared: unknown[] = Object.values(Object(at(document, 'webhooks', kind, 'post', 'parameters')))
  const lines = code.trimEnd().split('\n').slice(2)
  const sent = new Map(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]))
  const faults = declared.flatMap((parameter, index) => {
    const value = sent.get(String(at(parameter, 'name')))
    const place = ['webhooks', kind, 'post', 'parameters', String(index), 'schema']
    return value === undefined ? [`${at(parameter, 'name')} is not there.`] : faultsOfValue(place, value)
  })
  return sent.size === declared.length ? faults : [...faults, 'A header is not declared.']
}

/** Returns the code blocks of the example for webhook signatures: the secret, the body, the headers and the command. */
function worked(): Block[] {
  return blocksOf(pages.get('webhook-signatures') ?? '').filter(({ code }) => !receiverFiles.has(code))
}

const blocks = [...pages].flatMap(([path, text]) => blocksOf(text).map((block) => ({ path, block })))

test('every code block of every documentation page is run or validated by a test', () => {
  const counts = new Map<Proof, number>()
  for (const { path, block } of blocks) {
    const proof = proofOf(path, block)
    if (proof === undefined) expect.fail(`${path}, line ${block.line}: no test runs this block.`)
    counts.set(proof, (counts.get(proof) ?? 0) + 1)
  }
  // The reference has three code samples for each operation, and one code block for each file of a webhook receiver.
  expect(counts.get('samples.test.ts runs it')).toBe(endpointIds.length * 3)
  expect(counts.get('test/receiver runs it')).toBe(receiverFiles.size)
  expect(counts.get('the document describes it')).toBeGreaterThan(errorCodes.length + eventKinds.length)
  expect(counts.get('guides.test.ts runs it')).toBeGreaterThan(0)
  expect(counts.get('the worked example is made again')).toBe(4)
})

test('the check of the documentation pages reports a code block that no test covers', () => {
  const block = { language: 'sh', title: undefined, code: 'curl http://127.0.0.1:3000/\n', line: 1 }
  for (const path of ['scopes', 'api/orders/listOrders', 'errors/internal_error', 'webhook-signatures']) {
    expect(proofOf(path, block), path).toBeUndefined()
  }
  const table = { ...block, language: 'json', code: '{}' }
  expect(proofOf('lifecycles/order', table)).toBeUndefined()
  expect(proofOf('api/orders/listOrders', { ...table, title: 'Something else' })).toBeUndefined()
})

describe('examples in JSON on the pages', () => {
  const examples = blocks.filter(({ path, block }) => proofOf(path, block) === 'the document describes it')

  test('the JSON examples of the pages match the OpenAPI document', () => {
    const wrong = examples.flatMap(({ path, block }) => {
      return (faultsOf(path, block) ?? []).map((fault) => `${path}, line ${block.line}: ${fault}`)
    })
    expect(wrong).toEqual([])
  })

  test('the JSON examples of errors have the error code that their page or title names', () => {
    for (const { path, block } of examples) {
      const code = String(at(JSON.parse(block.language === 'json' ? block.code : '{}'), 'error', 'code'))
      const named = path.startsWith('errors/') ? path.slice('errors/'.length) : block.title?.split(' ')[1]
      if (named !== undefined && isErrorCode(named)) expect(code, path).toBe(named)
    }
  })

  test('the check of JSON examples reports a wrong type, a missing field, and a status or an error code that does not belong to the page', () => {
    const invalid: [string, string, (code: string) => string][] = [
      ['api/refunds/createRefund', 'Request body', (code) => code.replace(/"amountKobo": \d+/, '"amountKobo": "1"')],
      ['api/refunds/createRefund', '201 response', (code) => code.replace(/"status": "\w+"/, '"state": 1')],
      ['errors/idempotency_conflict', '409 response', (code) => code.replace('409', '400')],
      [
        'errors/idempotency_conflict',
        '409 response',
        (code) => code.replaceAll('idempotency_conflict', 'invalid_token'),
      ],
      ['webhooks/order.created', 'Body', (code) => code.replace(/"totalKobo": \d+/, '"total": 1')],
      ['webhooks/order.created', 'Headers', (code) => code.replace('webhook-id:', 'webhook-ids:')],
    ]
    for (const [path, title, spoil] of invalid) {
      const { block } = examples.find((each) => each.path === path && each.block.title === title) ?? {}
      if (block === undefined) expect.fail(`${path} has no ${title}.`)
      const code = spoil(block.code)
      expect(code, `${path}: ${title}`).not.toBe(block.code)
      expect(faultsOf(path, { ...block, code }), `${path}: ${title}`).not.toEqual([])
    }
  })
})

test('the command in the webhooks guide reproduces the signature of the guide’s example', async ({ skip }) => {
  const [secret, body, header, command] = worked().map(({ code }) => code.trimEnd())
  if (secret === undefined || body === undefined || header === undefined || command === undefined) {
    return expect.fail('The page shows a secret, a body, a header and a command.')
  }
  const [, signature = '', seconds = '', hex = ''] = /^Service-Signature: (t=(\d+),v1=([0-9a-f]+))$/.exec(header) ?? []
  const delivery = { rawBody: body, header: signature, secret, nowSeconds: Number(seconds) }
  expect(await verifyWebhook(delivery)).toMatchObject({ is: 'verified' })
  const run = promisify(execFile)
  const openssl = await run('openssl', ['version']).catch(() => undefined)
  skip(openssl === undefined, 'There is no openssl on this machine.')
  const { stdout } = await run('bash', ['-c', command])
  expect(stdout.trim().split(/\s+/).at(-1)).toBe(hex)
})
