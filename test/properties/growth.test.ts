import { Agent, request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../../registry/index.ts'
import type { Endpoint } from '../../registry/kit/endpoint.ts'
import { callbackMaxBytes } from '../../registry/values/limits.ts'
import { type TestApi, useApi } from '../support/api.ts'
import { openShop } from '../support/shop.ts'
import { encode, headCharacters, type Sendable, type TextInput, textInputsOf } from '../support/text-inputs.ts'

/**
 * No text that a client chooses may cost more than time in proportion to its length. Each text input of each operation is
 * sent long and twice as long, and the processor time of the two is compared within one run. Other processes take no part
 * in that time; what this process does beside is kept out by taking the best of several rounds.
 */

/** What patterns are slow on: runs of one character that several quantifiers share, and an end that none of them takes. */
const fillers = ['a', '0', ' ', '/', '+', '-', 'a.', '\u0323\u0301']
const end = '\u{1f457}!'

/** Twice as much for twice the length, and half as much again for what the processor does beside. */
const ratioMax = 3

/** Shorter than this is no harm, and too short to be compared. */
const negligibleMs = 15

const rounds = 6

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
  const before = process.cpuUsage()
  expect(await answered(sendable)).not.toBe(500)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** Empty where twice the text takes about twice the time, as soon as one round shows it. */
async function growthOf(input: TextInput, filler: string): Promise<string[]> {
  const unit = Math.max(encodeURIComponent(filler).length, Buffer.byteLength(filler))
  const half = Math.floor((input.maxCharacters - 100) / 2 / unit)
  const [short, long] = [half, half * 2].map((count) => input.request(filler.repeat(count) + end))
  if (short === undefined || long === undefined) return ['No text fits.']
  let shortMs = Number.POSITIVE_INFINITY
  let longMs = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds; round++) {
    shortMs = Math.min(shortMs, await processorMs(short))
    longMs = Math.min(longMs, await processorMs(long))
    if (longMs <= Math.max(negligibleMs, shortMs * ratioMax)) return []
  }
  return [`${input.place}, ${half} × ${JSON.stringify(filler)}: ${shortMs} ms; twice as long: ${longMs} ms`]
}

const all: readonly Endpoint[] = Object.values(endpoints)

async function slowOf(inputs: readonly TextInput[]): Promise<string[]> {
  const slow: string[] = []
  for (const input of inputs) {
    for (const filler of fillers) slow.push(...(await growthOf(input, filler)))
  }
  return slow
}

describe('twice as long a text takes at most three times as long', () => {
  test.for(all.map((endpoint) => [endpoint.id, endpoint] as const))('%s', async ([, endpoint]) => {
    expect(await slowOf(textInputsOf(endpoint))).toEqual([])
  })

  test('every path that is no operation’s', async () => {
    const get = (before: string, after = ''): TextInput => ({
      place: `${before}…${after}`,
      maxCharacters: headCharacters,
      request: (text) => ({ method: 'GET', path: `${before}${encode(text)}${after}`, headers: {} }),
    })
    expect(
      await slowOf(['/', '/api/v1/', '/docs/', '/docs/search?q='].flatMap((at) => [get(at), get(at, '/')])),
    ).toEqual([])
  })

  test('every callback', async () => {
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
