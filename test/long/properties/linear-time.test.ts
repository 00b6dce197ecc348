import { Agent, request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../../../registry/index.ts'
import type { Endpoint } from '../../../registry/kit/endpoint.ts'
import { callbackMaxBytes } from '../../../registry/values/limits.ts'
import { withoutTrailingSlashes } from '../../../src/http/reference.ts'
import { type TestApi, useApi } from '../../support/api.ts'
import {
  encode,
  headCharacters,
  type Sendable,
  type TextInput,
  textInputsOf,
} from '../../support/contract/text-inputs.ts'
import { openShop } from '../../support/shop.ts'

/**
 * The cost of a text from a client must be linear in its length. Each text input of each operation is sent at one
 * length and at twice that length, in several rounds. The shortest processor times of the two lengths are compared, so
 * that other work of this process has little effect.
 */

/**
 * Texts on which regular expressions may backtrack: many repetitions of one character that several quantifiers match,
 * followed by a character that none of them matches.
 */
const fillers = ['a', '0', ' ', '/', '+', '-', 'a.', '\u0323\u0301']
const end = '\u{1f457}!'

/**
 * Maximum ratio of the processor time for a text to that for a text of half the length. Linear time has a ratio of two.
 * The limit is 1.5 times as high, because the processor also does other work.
 */
const ratioMax = 3

/** Processor times below this limit do no harm and cannot be compared reliably. */
const negligibleMs = 15

/**
 * Maximum number of measuring rounds, because garbage collection and compilation may disturb several rounds. The first
 * acceptable round ends the measurement, so all rounds are needed only if a text takes too long to process.
 */
const rounds = 40

const started = useApi()
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

let api: TestApi
let token: string

beforeAll(async () => {
  api = started()
  token = (await openShop(api.context)).token
})

afterAll(() => agent.destroy())

function answered({ method, path, headers, body }: Sendable): Promise<number> {
  return new Promise((resolve, reject) => {
    const all = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...headers }
    const outgoing = httpRequest(
      { agent, host: '127.0.0.1', port: api.port, method, path, headers: all },
      (response) => {
        response.on('end', () => resolve(response.statusCode ?? 0)).resume()
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

async function processorMs(sendable: Sendable): Promise<number> {
  return processorMsOf(async () => expect(await answered(sendable)).not.toBe(500))
}

async function processorMsOf(run: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/**
 * Compares the processor times for a text at two lengths. Returns an empty list if twice the length takes about twice
 * the time.
 */
async function growthOf(input: TextInput, filler: string): Promise<string[]> {
  const unit = Math.max(encodeURIComponent(filler).length, Buffer.byteLength(filler))
  const half = Math.floor((input.maxCharacters - 100) / 2 / unit)
  const [short, long] = [half, half * 2].map((count) => input.request(filler.repeat(count) + end))
  if (short === undefined || long === undefined) return ['No text fits.']
  const slow = await slowness(
    () => processorMs(short),
    () => processorMs(long),
  )
  return slow === undefined ? [] : [`${input.place}, ${half} × ${JSON.stringify(filler)}: ${slow}`]
}

/**
 * Returns undefined if the long text is fast enough: its processor time is negligible, or at most `ratioMax` times that
 * of the short text. Otherwise, returns both times as text.
 */
async function slowness(
  msOfShort: () => Promise<number>,
  msOfLong: () => Promise<number>,
): Promise<string | undefined> {
  let shortMs = Number.POSITIVE_INFINITY
  let longMs = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds; round++) {
    longMs = Math.min(longMs, await msOfLong())
    // Nearly every text is so fast that the function returns here. The shorter text is therefore rarely measured.
    if (longMs <= negligibleMs) return undefined
    shortMs = Math.min(shortMs, await msOfShort())
    if (longMs <= shortMs * ratioMax) return undefined
  }
  return `${shortMs} ms; twice as long: ${longMs} ms`
}

const all: readonly Endpoint[] = Object.values(endpoints)

async function slowOf(inputs: readonly TextInput[]): Promise<string[]> {
  const slow: string[] = []
  for (const input of inputs) {
    for (const filler of fillers) slow.push(...(await growthOf(input, filler)))
  }
  return slow
}

describe('linear time for a text of twice the length', () => {
  test.for(
    all.map((endpoint) => [endpoint.id, endpoint] as const),
  )('the operation %s takes at most three times as long when a text in the request is twice as long', async ([
    ,
    endpoint,
  ]) => {
    expect(await slowOf(textInputsOf(endpoint))).toEqual([])
  })

  test('a request to an unknown path or a documentation path takes at most three times as long if the text in the path is twice as long', async () => {
    const get = (before: string, after = ''): TextInput => ({
      place: `${before}…${after}`,
      maxCharacters: headCharacters,
      request: (text) => ({ method: 'GET', path: `${before}${encode(text)}${after}`, headers: {} }),
    })
    expect(
      await slowOf(['/', '/api/v1/', '/docs/', '/docs/search?q='].flatMap((at) => [get(at), get(at, '/')])),
    ).toEqual([])
  })

  test('the removal of the trailing slashes of a path takes at most three times as long if the number of slashes is doubled', async () => {
    const msOf = (count: number) => () => processorMsOf(() => withoutTrailingSlashes(`${'/'.repeat(count)}x`))
    expect(await slowness(msOf(50_000), msOf(100_000))).toBeUndefined()
  })

  test('a callback request with a text of twice the length takes at most three times as long', async () => {
    const post = (before: string): TextInput[] => [
      {
        place: `${before}…`,
        maxCharacters: headCharacters,
        request: (text) => ({ method: 'POST', path: before + encode(text), headers: {}, body: '{}' }),
      },
      {
        place: `the body of ${before}`,
        maxCharacters: callbackMaxBytes,
        request: (text) => ({ method: 'POST', path: `${before}x`, headers: {}, body: JSON.stringify({ event: text }) }),
      },
    ]
    const carriers = ['chowdeck', 'fez', 'shipbubble', 'simulator-swift'].map((code) => `/callbacks/carriers/${code}/`)
    expect(await slowOf(['/callbacks/paystack/', ...carriers].flatMap(post))).toEqual([])
  })
})
