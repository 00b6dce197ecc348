import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ErrorCode } from '../../../registry/errors/index.ts'
import { type EndpointId, endpoints, events } from '../../../registry/index.ts'
import type { Endpoint } from '../../../registry/kit/endpoint.ts'
import { documentOf } from '../../../registry/openapi/openapi.ts'
import { type Conformance, conform, type Outcome } from '../../../scripts/conformance/conform.ts'
import { operationsOf, readDocument } from '../../../scripts/conformance/document.ts'
import type { Check } from '../../../scripts/conformance/ledger.ts'
import type { Exchange } from '../../../scripts/conformance/observe.ts'
import { reportOf } from '../../../scripts/conformance/report.ts'
import { schemasOf } from '../../../scripts/conformance/schemas.ts'
import { codeOf, faultsOfResponse } from '../../../scripts/conformance/validate-response.ts'
import { exitCodeOf, verdictOf } from '../../../scripts/conformance/verdict.ts'
import { seedOrders } from '../../../src/demo/seed-orders.ts'
import { seedSamples } from '../../../src/demo/seed-samples.ts'
import { faultyResponses, replaced } from '../../contract/faulty-responses.ts'
import { mutations, withoutMalformedRequest } from '../../contract/mutations.ts'
import { useApi } from '../../support/api.ts'
import { type Alteration, withFaultyServer } from '../../support/contract/faulty-server.ts'
import { mintToken, openShop, operator, type Shop } from '../../support/shop.ts'

/** Runs `npm run conformance` against the service and against servers that deviate from their OpenAPI document. */

const started = useApi()

/**
 * Timeout of a whole conformance run, which sends two thousand requests one after another, while the machine may be
 * busy.
 */
const timeout = 900_000

/** Number of orders of the merchant: enough for three pages of a list, as in the demo data. */
const orders = 60

/**
 * The errors that single operations declare and that a whole conformance run does not always cause. The list may only
 * become shorter.
 */
const unprovoked = new URL('unprovoked-refusals.txt', import.meta.url)

/**
 * Maximum number of the errors in the list `unprovoked` that a conformance run may cause by chance. Some errors depend
 * on the records that a run uses, and a run selects its records by their ids, which are new in each run. Six runs
 * caused three to eight of these errors each, so fourteen leaves a margin.
 */
const provokedByChanceMax = 14

let tokens: Conformance['tokens']
/**
 * Tokens of a shop in which no whole conformance run creates records. The records of a whole run have the same creation
 * time, so their order is undefined, and they displace older records from the first page of a list.
 */
let quietTokens: Conformance['tokens']
beforeAll(async () => {
  const { context, logistics } = started()
  const [shop, quiet, other] = [await openShop(context), await openShop(context), await openShop(context)]
  // Inserts sample data, because requests alone cannot create a refund that waits for the customer's bank details.
  await seedSamples(logistics, operator, { merchantId: shop.testMerchantId, mode: 'test' })
  const others = await mintToken(context, { merchantId: other.testMerchantId, mode: 'test' }, {})
  const tokensOf = async ({ testMerchantId }: Shop): Promise<Conformance['tokens']> => {
    const tenant = { merchantId: testMerchantId, mode: 'test' } as const
    await seedOrders(context, operator, tenant, { orders })
    const { token } = await mintToken(context, tenant, {})
    const narrow = await mintToken(context, tenant, { scopes: ['inventory:write'] })
    return { token, 'narrow-token': narrow.token, 'other-token': others.token }
  }
  tokens = await tokensOf(shop)
  quietTokens = await tokensOf(quiet)
})

function run(url: URL, options: Partial<Conformance> = {}): Promise<Outcome> {
  return conform({
    ...{ url, tokens, seed: 1, runs: 4, maxRequests: 9_000, maxSeconds: 300, only: [], checks: [] },
    ...{ documentPath: '/api/v1/openapi.json', startedAtMs: Date.now() },
    ...options,
  })
}

/** The result of one conformance run, for all tests that only read it. */
let whole: Promise<Outcome> | undefined
const heard: Exchange[] = []
function wholeRun(): Promise<Outcome> {
  whole ??= run(new URL(started().url), { onExchange: (each) => heard.push(each) })
  return whole
}

function pairsOf({ unobserved }: Outcome): string[] {
  return unobserved.map(({ operation, code }) => `${operation} ${code}`)
}

describe('a conformance run against the real service', { timeout }, () => {
  test('a conformance run with the standard seed finds that every operation of the real service conforms to its OpenAPI document', async () => {
    const outcome = await wholeRun()
    const { violations, operations } = outcome.ledger
    expect(violations, reportOf(outcome, 1)).toEqual([])
    expect(outcome.stopped).toBeUndefined()
    expect([...operations.keys()].sort()).toEqual(Object.keys(endpoints).sort())
    expect(verdictOf(outcome, false), reportOf(outcome, 1)).toEqual({ is: 'passed' })
    expect([...outcome.ledger.undeclared]).toEqual([])
  })

  test('the conformance run causes every error that the OpenAPI document declares, except the errors in the test’s list of exceptions', async () => {
    const all: readonly Endpoint[] = Object.values(endpoints)
    const declared = all.flatMap(({ id, refusals = [] }) => refusals.map((code) => `${id} ${code}`))
    const listed = (await readFile(unprovoked, 'utf8')).split('\n').filter(Boolean)
    expect(listed.filter((pair) => !declared.includes(pair))).toEqual([])
    const unmet = pairsOf(await wholeRun())
    const met = listed.filter((pair) => !unmet.includes(pair))
    expect(met.length, `Strike what is always met: ${met.join(', ')}.`).toBeLessThanOrEqual(provokedByChanceMax)
    let missing = declared.filter((pair) => unmet.includes(pair) && !listed.includes(pair))
    // A run may miss an error that it causes only by chance, so up to four runs with other seeds follow. All but the
    // last of them cover only the operations whose declared errors are still missing, and the lists, which return the
    // records for these operations. An error that no run causes is documented but not tested.
    for (const seed of [2, 3, 4, 5]) {
      if (missing.length === 0) return
      const only = seed === 5 ? [] : all.map(({ id }) => id).filter((id) => isList(id) || missing.some(isOf(id)))
      const again = pairsOf(await run(new URL(started().url), { seed, only }))
      missing = missing.filter((pair) => again.includes(pair))
    }
    expect(missing).toEqual([])
  })

  test('a conformance run stops after the maximum number of requests to the real service', async () => {
    const outcome = await run(new URL(started().url), { maxRequests: 40 })
    expect(outcome.requests).toBeLessThanOrEqual(41)
    expect(outcome.stopped).toMatch(/40 requests/)
  })

  test('the report of a conformance run lists the checks that were skipped because the token for them was missing', async () => {
    const { token = '' } = tokens
    const alone = await run(new URL(started().url), { tokens: { token }, maxRequests: 20 })
    expect(reportOf(alone, 1)).toMatch(/without --other-token.*\n.*without --narrow-token/)
    const all = await run(new URL(started().url), { maxRequests: 20 })
    expect(reportOf(all, 1)).not.toContain('Skipped without')
  })
})

const isList = (id: string) => id.startsWith('list')

const isOf = (id: string) => (pair: string) => pair.startsWith(`${id} `)

/** The operations and checks that find a deviation. A run with only these operations and checks needs few requests. */
interface About {
  readonly only: readonly EndpointId[]
  readonly checks: readonly Check[]
}

function outcomeOf(alteration: Alteration, about: About, seed = 1): Promise<Outcome> {
  return withFaultyServer(started().url, alteration, (url) =>
    run(url, { ...about, seed, tokens: quietTokens, runs: 2 }),
  )
}

async function violationsOf(alteration: Alteration, about: About, seed = 1): Promise<string[]> {
  const outcome = await outcomeOf(alteration, about, seed)
  return outcome.ledger.violations.map(({ operation, reason }) => `${operation}: ${reason}`)
}

/**
 * Expects that several runs, each with another seed, together find the violations. Record ids are new in each run and
 * decide which records a short run changes, so a single run may miss a fault.
 */
async function expectViolations(alter: () => Alteration, about: About, found: readonly RegExp[]): Promise<void> {
  const violations: string[] = []
  for (const seed of [1, 2, 3, 4, 5]) {
    violations.push(...(await violationsOf(alter(), about, seed)))
    if (found.every((reason) => violations.some((violation) => reason.test(violation)))) return
  }
  for (const reason of found) expect(violations).toContainEqual(expect.stringMatching(reason))
}

describe('a conformance run with an OpenAPI document that lacks one error', { timeout }, () => {
  test('the conformance run reports each error that it provoked but that the OpenAPI document does not declare', async () => {
    await wholeRun()
    const all: readonly Endpoint[] = Object.values(endpoints)
    const provoked = all.flatMap(({ id, refusals = [] }) => {
      const answers = heard.filter(({ operation }) => operation.id === id)
      return refusals
        .map((code) => ({ id, code, answers: answers.filter(({ response }) => codeOf(response.body) === code) }))
        .filter((each) => each.answers.length > 0)
    })
    // If the runs caused no error at all, this test would prove nothing. The preceding test limits how many errors the
    // runs may leave out.
    expect(provoked.length).toBeGreaterThan(0)
    const unnoticed = provoked.filter(({ id, code, answers }) => faultsWithout(id, code, answers).length === 0)
    expect(unnoticed.map(({ id, code }) => `${id} without ${code}`)).toEqual([])
  })

  test('the conformance run reports malformed_request for every operation when the OpenAPI document does not declare that error', async () => {
    await wholeRun()
    const malformed = heard.filter(({ response }) => codeOf(response.body) === 'malformed_request')
    const ids = Object.keys(endpoints)
    const faults = faultsIn(withoutMalformedRequest(ids), malformed)
    expect(ids.filter((id) => !faults.some((fault) => fault.startsWith(`${id}: `)))).toEqual([])
  })

  test.for([
    ['getOrder', 'order_not_found'],
    ['createRefund', 'order_not_found'],
    ['getProduct', 'product_not_found'],
  ] as const)('the conformance run reports the operation %s when the OpenAPI document lacks the error %s of that operation', async ([
    id,
    code,
  ]) => {
    const only: EndpointId[] = ['listOrders', 'listProducts', id]
    expect(await violationsOf({ document: withoutRefusal(id, code) }, { only, checks: ['tenancy'] })).toContainEqual(
      expect.stringMatching(new RegExp(`^${id}: .*(does not declare the status|The code is ${code})`)),
    )
  })

  test('as a control, the conformance run reports no problem for an OpenAPI document that declares all errors', async () => {
    const contract = { endpoints: Object.values(endpoints), events: Object.values(events) }
    const about: About = { only: ['listOrders', 'getOrder'], checks: ['tenancy'] }
    expect(await violationsOf({ document: documentOf(contract) }, about)).toEqual([])
  })
})

/**
 * Checks the same responses with a document that does not declare the given error, and returns the violations. The
 * document contains only this operation, because hundreds of documents with every operation would take half a minute.
 */
function faultsWithout(id: string, code: ErrorCode, answers: readonly Exchange[]): string[] {
  const changed = endpointsWithout(id, code).filter((endpoint) => endpoint.id === id)
  return faultsIn(documentOf({ endpoints: changed, events: [] }), answers)
}

function faultsIn(changed: object, answers: readonly Exchange[]): string[] {
  const document = readDocument(JSON.stringify(changed))
  const schemas = schemasOf(document)
  const operations = operationsOf(document)
  return answers.flatMap((exchange) => {
    const operation = operations.find(({ id }) => id === exchange.operation.id)
    if (operation === undefined) throw new Error(`${exchange.operation.id} is still in the document.`)
    return faultsOfResponse(schemas, operation, exchange.response).map((fault) => `${operation.id}: ${fault}`)
  })
}

function withoutRefusal(id: string, code: ErrorCode): object {
  return documentOf({ endpoints: endpointsWithout(id, code), events: Object.values(events) })
}

function endpointsWithout(id: string, code: ErrorCode): Endpoint[] {
  const all: readonly Endpoint[] = Object.values(endpoints)
  return all.map((endpoint) =>
    endpoint.id === id ? { ...endpoint, refusals: endpoint.refusals?.filter((each) => each !== code) ?? [] } : endpoint,
  )
}

describe('a conformance run against wrong responses', { timeout }, () => {
  test.for(
    faultyResponses.map((lie) => [lie.what, lie] as const),
  )('the conformance run finds the violation of a server that responds %s', async ([
    ,
    { only, check, alter, found },
  ]) => {
    await expectViolations(alter, { only, checks: [check] }, found)
  })

  test('the conformance run warns of a server that responds with an undeclared field', async () => {
    const answer: Alteration['answer'] = (_, real) => replaced(real, /^\{/, '{"passwordHash":"$argon2id$",')
    const outcome = await outcomeOf({ answer }, { only: ['listOrders', 'getOrder'], checks: ['example'] })
    expect(outcome.ledger.violations).toEqual([])
    expect(reportOf(outcome, 1)).toMatch(/Warning: .*\n(.*\n)* {2}getOrder 200 \/passwordHash\n/)
  })
})

describe('a conformance run against a faulty server', { timeout }, () => {
  test.for(
    mutations.map((mutation) => [mutation.what, mutation] as const),
  )('the conformance run finds a faulty server that %s', async ([, mutation]) => {
    const { only, check, alter, found } = mutation
    await expectViolations(alter, { only, checks: [check] }, found)
  })
})

describe('a conformance run that cannot check the service', { timeout }, () => {
  test('the conformance run fails if an operation never succeeded, unless an option accepts such operations', async () => {
    const { 'other-token': other = '' } = tokens
    // With the token of another merchant, the order does not exist. Every refund request therefore gets a declared
    // error, and none succeeds.
    const ask: Alteration['ask'] = (asked) => {
      const headers = new Headers(asked.headers)
      if (asked.method === 'POST') headers.set('authorization', `Bearer ${other}`)
      return { ...asked, headers }
    }
    const outcome = await outcomeOf({ ask }, { only: ['listOrders', 'createRefund'], checks: ['example'] })
    expect(outcome.ledger.violations).toEqual([])
    expect(verdictOf(outcome, false)).toEqual({ is: 'unseen', operations: ['createRefund'] })
    expect(verdictOf(outcome, true)).toEqual({ is: 'passed' })
    expect(reportOf(outcome, 1)).toMatch(/Never successful.*: createRefund\.\n(.*\n)*.*: 1 operation\(s\) were never/)
  })

  test('the conformance run exits with 2 if it could never request some operations, even if operations without success are allowed', async () => {
    const { 'other-token': token = '' } = tokens
    const outcome = await run(new URL(started().url), { only: ['getOrder', 'cancelRefund'], tokens: { token } })
    expect(outcome.ledger.violations).toEqual([])
    for (const allowsUnseen of [false, true]) {
      const verdict = verdictOf(outcome, allowsUnseen)
      expect(verdict).toEqual({ is: 'untried', operations: ['getOrder', 'cancelRefund'] })
      expect(exitCodeOf(verdict)).toBe(2)
    }
    expect(reportOf(outcome, 1)).toMatch(/Never requested.*: getOrder, cancelRefund\./)
    expect(reportOf(outcome, 1)).not.toContain('no violation')
  })

  test('a conformance run that reads its token from the environment exits with 2 if --only names an unknown operation', async () => {
    const { token = '' } = tokens
    const args = ['scripts/conformance/run.ts', '--url', started().url, '--only', 'getOrdr']
    const ended = promisify(execFile)(process.execPath, args, { env: { COMMERCE_TOKEN: token } })
    await expect(ended).rejects.toMatchObject({ code: 2, stderr: expect.stringMatching(/no operation getOrdr/) })
  })
})

describe('an OpenAPI document whose server URL has another host', () => {
  test('the conformance run sends no request to a server URL of the document that has another host', async () => {
    const document = { ...documentOf({ endpoints: [], events: [] }), servers: [{ url: 'http://192.0.2.1/api/v1' }] }
    await expect(withFaultyServer(started().url, { document }, (altered) => run(altered))).rejects.toThrow(
      /only http:\/\/127\.0\.0\.1/,
    )
  })
})
