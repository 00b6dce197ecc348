import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EndpointId, endpoints } from '../../../registry/index.ts'
import type { Endpoint } from '../../../registry/kit/endpoint.ts'
import { type Sample, samplesOf } from '../../../scripts/reference/samples.ts'
import { endpointIds } from '../../support/answers.ts'
import { faultsOfAnswer, operationIdOf } from '../../support/contract/document.ts'
import { type RunningDemo, startDemo } from '../../support/reference/demo.ts'
import { installClient } from '../../support/reference/install-client.ts'
import { hasPython, type Pasted, paste } from '../../support/reference/paste.ts'
import { type Exchange, startRecorder } from '../../support/reference/recorder.ts'
import { typeFaultsOf } from '../../support/reference/type-faults.ts'

/**
 * Runs every code sample of every operation as a program against the demo that `npm start` creates. Each language has
 * its own demo, because a sample that cancels an order can do so only once.
 */

const languages = ['curl', 'typescript', 'python'] as const
const canRunPython = await hasPython()

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commerce-samples-'))
  await installClient(join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Timeout of the setup: each demo creates a database when it starts, and three demos share two cores. */
const startMs = 120_000

const isExport = (id: EndpointId) => endpoints[id].kind === 'export'

describe.each(languages)('code samples in %s', (language) => {
  const runs = language !== 'python' || canRunPython
  const state: { demo?: RunningDemo } = {}
  beforeAll(async () => {
    if (runs) state.demo = await startDemo()
  }, startMs)
  afterAll(() => state.demo?.stop())

  const run = async (sample: Sample, name: string) => {
    const { demo } = state
    if (demo === undefined) throw new Error('There is no demo.')
    const recorder = await startRecorder(demo.url)
    try {
      const pasted = await paste(sample, { folder, name: `${name}-${language}`, url: recorder.url, token: demo.token })
      return { pasted, exchanges: recorder.exchanges }
    } finally {
      await recorder.close()
    }
  }

  const title = `the code sample %s ${runs ? 'runs as pasted' : 'is skipped because python3 is not installed'}`
  const runSample = async (id: EndpointId) => {
    const { pasted, exchanges } = await run(sampleOf(id, language), id)
    return { faults: faultsOf(id, language, pasted, exchanges), printed: `${pasted.errors}${pasted.output}` }
  }

  test.concurrent.for(endpointIds.filter((id) => !isExport(id)))(title, async (id, { expect, skip }) => {
    skip(!runs, 'There is no python3 on this machine.')
    const { faults, printed } = await runSample(id)
    expect(faults, printed).toEqual([])
  })

  // Exports do not run concurrently, because a merchant can run only two exports at the same time.
  test.for(endpointIds.filter(isExport))(title, async (id, { expect, skip }) => {
    skip(!runs, 'There is no python3 on this machine.')
    const { faults, printed } = await runSample(id)
    expect(faults, printed).toEqual([])
  })

  test('the check of code samples finds a wrong id, a wrong path, a wrong field and a missing token', async ({
    skip,
  }) => {
    skip(!runs, 'There is no python3 on this machine.')
    const wrong: [EndpointId, (code: string) => string][] = [
      ['getOrder', (code) => code.replace('2m9k', '2mzz')],
      ['getProduct', (code) => code.replace(/\/products\/|products\./, (found) => found.replace('products', 'orders'))],
      ['updateCustomer', (code) => code.replace('tags', 'labels')],
      ['listOrders', (code) => code.replace('COMMERCE_TOKEN', 'HOME')],
    ]
    for (const [id, spoil] of wrong) {
      const { code } = sampleOf(id, language)
      expect(spoil(code), id).not.toBe(code)
      const { pasted, exchanges } = await run({ language, code: spoil(code) }, `wrong-${id}`)
      expect(faultsOf(id, language, pasted, exchanges), id).not.toEqual([])
    }
  })
})

describe('the code samples of the reference', () => {
  test('the TypeScript code samples of the reference compile in strict mode', () => {
    const codes = endpointIds.map((id) => [`${id}.ts`, sampleOf(id, 'typescript').code] as const)
    const wrong = ['wrong.ts', 'const text: string = 1\nawait 0\n'] as const
    expect(typeFaultsOf([...codes, wrong], folder)).toEqual([expect.stringContaining('wrong.ts')])
  })

  test('the code samples send an Idempotency-Key to the operations that honour it, and to no other operation', () => {
    for (const id of endpointIds) {
      const endpoint: Endpoint = endpoints[id]
      for (const { code } of samplesOf(id)) {
        expect(code.includes('Idempotency-Key'), id).toBe(endpoint.idempotency === 'honoured')
      }
    }
  })

  test('every code sample has at most 60 lines', () => {
    for (const id of endpointIds) {
      for (const { code, language } of samplesOf(id)) {
        expect(code.split('\n').length, `${id} in ${language}`).toBeLessThanOrEqual(linesMax)
      }
    }
  })
})

const linesMax = 60

function sampleOf(id: EndpointId, language: Sample['language']): Sample {
  const sample = samplesOf(id).find((each) => each.language === language)
  return sample ?? expect.fail(`${id} has no sample in ${language}.`)
}

/**
 * Returns the errors of a code sample: its last request must be that of the operation, and the response must be the
 * documented success.
 */
function faultsOf(
  id: EndpointId,
  language: Sample['language'],
  pasted: Pasted,
  exchanges: readonly Exchange[],
): string[] {
  const endpoint: Endpoint = endpoints[id]
  const faults = pasted.exitCode === 0 ? [] : [`It exits with ${pasted.exitCode}.`]
  if (pasted.errors !== '' && language !== 'curl') faults.push('It complains.')
  const last = exchanges.at(-1)
  if (last === undefined) return [...faults, 'It asks nothing.']
  const asked = operationIdOf(last.method, last.path)
  if (asked !== id) faults.push(`It ends with ${asked}.`)
  const statuses: number[] = [
    endpoint.reply.status ?? 200,
    ...(endpoint.reply.further ?? []).map(({ status }) => status),
  ]
  for (const { status, path } of exchanges) if (status >= 400) faults.push(`${path} answers ${status}.`)
  if (!statuses.includes(last.status)) faults.push(`The answer is ${last.status}.`)
  const [bodies, type] = isExport(id)
    ? [last.text.split('\n').filter(Boolean), 'application/x-ndjson']
    : [[last.text], 'application/json']
  for (const body of bodies) faults.push(...faultsOfAnswer(last.method, last.path, last.status, JSON.parse(body), type))
  if (language === 'curl' && pasted.output !== last.text) faults.push('It does not print the answer.')
  if (language !== 'curl' && endpoint.kind === 'list' && !last.text.includes('"cursor":null'))
    faults.push('It stops early.')
  return faults
}
