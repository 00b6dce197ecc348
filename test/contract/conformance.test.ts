import { beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '../../registry/endpoint.ts'
import type { ErrorCode } from '../../registry/errors.ts'
import { type EndpointId, endpoints, events } from '../../registry/index.ts'
import { documentOf } from '../../registry/openapi.ts'
import { type Conformance, conform, type Outcome } from '../../scripts/conformance/conform.ts'
import { operationsOf, readDocument } from '../../scripts/conformance/document.ts'
import { codeOf, faultsOfAnswer } from '../../scripts/conformance/judge.ts'
import type { Heard } from '../../scripts/conformance/observe.ts'
import { readOptions, UsageError } from '../../scripts/conformance/options.ts'
import { hasSucceeded, reportOf } from '../../scripts/conformance/report.ts'
import { schemasOf } from '../../scripts/conformance/schemas.ts'
import { seedOrders } from '../../src/demo/seed-orders.ts'
import { seedSamples } from '../../src/demo/seed-samples.ts'
import { type Alteration, type AlteredAnswer, withAltered } from '../support/altered-service.ts'
import { useApi } from '../support/api.ts'
import { mintToken, openShop, operator } from '../support/shop.ts'

/** What `npm run conformance` says of the service as it is, and of services that have drifted from their document. */

const started = useApi()

/** A whole run is two thousand requests one after another, and the machine may have other work. */
const timeout = 300_000

/** Three pages, as the demo has. */
const orders = 60

/** Fewer would mean that the run no longer comes upon the errors it came upon when this was written. */
const provokedMin = 40

let tokens: Conformance['tokens']
beforeAll(async () => {
  const { context, logistics } = started()
  const shop = await openShop(context)
  const other = await openShop(context)
  const tenant = { merchantId: shop.testMerchantId, mode: 'test' } as const
  // A refund that waits for its customer’s account is nothing that requests alone bring about.
  await seedSamples(logistics, operator, tenant)
  await seedOrders(context, operator, tenant, { orders })
  const { token } = await mintToken(context, tenant, {})
  const narrow = await mintToken(context, tenant, { scopes: ['inventory:write'] })
  const others = await mintToken(context, { merchantId: other.testMerchantId, mode: 'test' }, {})
  tokens = { token, 'narrow-token': narrow.token, 'other-token': others.token }
})

function run(url: URL, options: Partial<Conformance> = {}): Promise<Outcome> {
  return conform({
    ...{ url, tokens, seed: 1, runs: 4, maxRequests: 6_000, maxSeconds: 300, only: [] },
    ...{ documentPath: '/api/v1/openapi.json', startedAtMs: Date.now() },
    ...options,
  })
}

/** One run is enough for all that only look at what was answered. */
let whole: Promise<Outcome> | undefined
const heard: Heard[] = []
function wholeRun(): Promise<Outcome> {
  whole ??= run(new URL(started().url), { hear: (each) => heard.push(each) })
  return whole
}

describe('the service as it is', { timeout }, () => {
  test('keeps to its document with the standard seed, in every operation', async () => {
    const outcome = await wholeRun()
    const { violations, operations } = outcome.ledger
    expect(violations, reportOf(outcome, 1)).toEqual([])
    expect(outcome.stopped).toBeUndefined()
    expect([...operations.keys()].sort()).toEqual(Object.keys(endpoints).sort())
    const never = [...operations].filter(([, tested]) => !hasSucceeded(tested)).map(([id]) => id)
    expect(never, reportOf(outcome, 1)).toEqual([])
  })

  test('is asked no more than was allowed', async () => {
    const outcome = await run(new URL(started().url), { maxRequests: 40 })
    expect(outcome.requests).toBeLessThanOrEqual(41)
    expect(outcome.stopped).toMatch(/40 requests/)
  })

  test('says what it did not try for want of a token', async () => {
    const { token = '' } = tokens
    const alone = await run(new URL(started().url), { tokens: { token }, maxRequests: 20 })
    expect(reportOf(alone, 1)).toMatch(/want of --other-token.*\n.*want of --narrow-token/)
    const all = await run(new URL(started().url), { maxRequests: 20 })
    expect(reportOf(all, 1)).not.toContain('Not tried')
  })
})

/** Few requests to few operations find what was done to those. */
async function violationsOf(alteration: Alteration, only: readonly EndpointId[]): Promise<string[]> {
  const outcome = await withAltered(started().url, alteration, (url) => run(url, { only, runs: 2 }))
  return outcome.ledger.violations.map(({ operation, reason }) => `${operation}: ${reason}`)
}

describe('a document that lacks one error of the registry', { timeout }, () => {
  test('is noticed for each error that the whole run has provoked', async () => {
    await wholeRun()
    const all: readonly Endpoint[] = Object.values(endpoints)
    const provoked = all.flatMap(({ id, refusals = [] }) => {
      const answers = heard.filter(({ operation }) => operation.id === id)
      const codes = new Set(answers.map(({ answered }) => codeOf(answered.body)))
      return refusals.filter((code) => codes.has(code)).map((code) => ({ id, code, answers }))
    })
    expect(provoked.length).toBeGreaterThanOrEqual(provokedMin)
    const unnoticed = provoked.filter(({ id, code, answers }) => faultsWithout(id, code, answers).length === 0)
    expect(unnoticed.map(({ id, code }) => `${id} without ${code}`)).toEqual([])
  })

  test.for([
    ['getOrder', 'order_not_found'],
    ['createRefund', 'order_not_found'],
    ['getProduct', 'product_not_found'],
  ] as const)('%s without %s', async ([id, code]) => {
    const only: EndpointId[] = ['listOrders', 'listProducts', id]
    expect(await violationsOf({ document: withoutRefusal(id, code) }, only)).toContainEqual(
      expect.stringMatching(new RegExp(`^${id}: .*(does not declare the status|The code is ${code})`)),
    )
  })

  test('the same document with it is kept to', async () => {
    const contract = { endpoints: Object.values(endpoints), events: Object.values(events) }
    expect(await violationsOf({ document: documentOf(contract) }, ['listOrders', 'getOrder'])).toEqual([])
  })
})

/** What is found of the same answers in a document without this error. */
function faultsWithout(id: string, code: ErrorCode, answers: readonly Heard[]): string[] {
  const document = readDocument(JSON.stringify(withoutRefusal(id, code)))
  const schemas = schemasOf(document)
  const operation = operationsOf(document).find((each) => each.id === id)
  if (operation === undefined) throw new Error(`${id} is still in the document.`)
  return answers.flatMap(({ answered }) => faultsOfAnswer(schemas, operation, answered))
}

function withoutRefusal(id: string, code: ErrorCode): object {
  const all: readonly Endpoint[] = Object.values(endpoints)
  const changed = all.map((endpoint) =>
    endpoint.id === id ? { ...endpoint, refusals: endpoint.refusals?.filter((each) => each !== code) ?? [] } : endpoint,
  )
  return documentOf({ endpoints: changed, events: Object.values(events) })
}

describe('a service that answers otherwise than its document says', { timeout }, () => {
  const isOrder = (path: string) => /\/orders\/ord_\w+$/.test(path)
  const isOrders = (path: string) => /\/orders(\?|$)/.test(path)

  test.for<[string, NonNullable<Alteration['answer']>, RegExp]>([
    [
      'a status nobody declared',
      (asked, answer) => (isOrder(asked.path) ? { ...answer, status: 202 } : answer),
      /^getOrder: getOrder does not declare the status 202/,
    ],
    ['a header that is missing', (_, answer) => without(answer, 'request-id'), /The header Request-Id is missing/],
    [
      'a null where none is declared',
      (asked, answer) => (isOrders(asked.path) ? replaced(answer, /"customer":\{/, '"customer":null,"was":{') : answer),
      /^listOrders: The body: \/data\/0\/customer must be object/,
    ],
    [
      'another operation’s code',
      (_, answer) => replaced(answer, /"code":"order_not_found"/, '"code":"product_not_found"'),
      /^getOrder: The code is product_not_found/,
    ],
    [
      'another type of content',
      (_, answer) => ({ ...answer, headers: new Headers([...answer.headers, ['content-type', 'text/html']]) }),
      /The content type is/,
    ],
    ['a failure', (asked, answer) => (isOrder(asked.path) ? { ...answer, status: 500 } : answer), /The service failed/],
    [
      'a page that comes twice',
      (asked, answer) => (isOrders(asked.path) ? replaced(answer, /"data":\[(\{.*?\}\}),/, '"data":[$1,$1,') : answer),
      /^listOrders: ord_\w+ is shown twice/,
    ],
    [
      'what is forbidden as if it were allowed',
      (asked, answer) => (isOrders(asked.path) && answer.status === 400 ? { ...answer, status: 200 } : answer),
      /^listOrders: .*expected 400, found 200/,
    ],
    [
      'whoever has no scope',
      (asked, answer) => (isOrder(asked.path) && answer.status === 403 ? { ...answer, status: 404 } : answer),
      /^getOrder: Without the scope orders:read: expected 403/,
    ],
    [
      'an unknown method as if it were one',
      (asked, answer) => (asked.method === 'PUT' ? { ...answer, status: 200 } : answer),
      /PUT is not declared: expected 405/,
    ],
  ])('%s', async ([, answer, reason]) => {
    expect(await violationsOf({ answer }, ['listOrders', 'getOrder'])).toContainEqual(expect.stringMatching(reason))
  })

  test('a refund made anew for the same key', async () => {
    const answer: Alteration['answer'] = ({ path }, real) =>
      path.endsWith('/refunds') ? replaced(real, /"id":"rfd_/, `"id":"rfd_${performance.now()}`) : real
    const found = await violationsOf({ answer }, ['listOrders', 'createRefund'])
    expect(found).toContainEqual(expect.stringMatching(/^createRefund: The same key and body answered/))
  })

  test('another merchant’s orders', async () => {
    let own: AlteredAnswer | undefined
    const answer: Alteration['answer'] = ({ path }, real) => {
      if (!path.endsWith('/orders?limit=100')) return real
      own ??= real
      return { ...own, headers: real.headers }
    }
    const found = await violationsOf({ answer }, ['listOrders'])
    expect(found).toContainEqual(expect.stringMatching(/^listOrders: Both merchants are shown ord_/))
  })
})

function without(answer: AlteredAnswer, header: string): AlteredAnswer {
  const headers = new Headers(answer.headers)
  headers.delete(header)
  return { ...answer, headers }
}

function replaced(answer: AlteredAnswer, pattern: RegExp, replacement: string): AlteredAnswer {
  return { ...answer, text: answer.text.replace(pattern, replacement) }
}

describe('the command line', () => {
  const url = ['--url', 'http://127.0.0.1:1']

  test.for([
    [...url, '--token', 'svc_live_x'],
    [...url, '--token', 'svc_test_x', '--other-token', 'svc_live_x'],
    [...url, '--token', 'x'],
  ])('refuses a token that is not of test mode: %j', (args) => {
    expect(() => readOptions(args)).toThrow(UsageError)
    expect(readOptions([...args, '--live']).tokens.token).toBeDefined()
  })

  test.for([
    [],
    url,
    ['--url', 'nowhere', '--token', 'svc_test_x'],
    [...url, '--token', 'svc_test_x', '--runs', 'many'],
  ])('says how it is used when it is not: %j', (args) => {
    expect(() => readOptions(args)).toThrow(UsageError)
  })

  test('goes to no other host, whatever the document says', async () => {
    const document = { ...documentOf({ endpoints: [], events: [] }), servers: [{ url: 'http://192.0.2.1/api/v1' }] }
    await expect(withAltered(started().url, { document }, (altered) => run(altered))).rejects.toThrow(
      /only http:\/\/127\.0\.0\.1/,
    )
  })
})
