import { beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../../registry/index.ts'
import type { Endpoint } from '../../registry/kit/endpoint.ts'
import { type Reply, sendRaw, useApi } from '../support/api.ts'
import { type TextInput, textInputsOf } from '../support/contract/text-inputs.ts'
import { contentsOf } from '../support/database-contents.ts'
import { openShop, type Shop } from '../support/shop.ts'

/**
 * Every request field whose text people read must accept visible characters only. A loop over the registry finds these
 * fields.
 */

const started = useApi()

let shop: Shop
beforeAll(async () => {
  shop = await openShop(started().context)
})

const all: readonly Endpoint[] = Object.values(endpoints)

/** Request fields for codes and ids, which programs compare with stored values. */
const forPrograms = /\.ids\b|offerId|metadata|\.code$|provider|variantId|itemId/

const inputs = all.flatMap((endpoint) => textInputsOf(endpoint).map((input) => ({ endpoint, input })))
const forPeople = inputs.filter(({ input }) => input.isForPeople === true && !forPrograms.test(input.place))

function send(input: TextInput, text: string): Promise<Reply> {
  const { headers, ...request } = input.request(text)
  const always = { Authorization: `Bearer ${shop.token}`, 'Content-Type': 'application/json' }
  return sendRaw(started(), { ...request, headers: { ...always, ...headers } })
}

const cases: readonly (readonly [string, string])[] = [
  ['blanks', '        '],
  ['zero-width characters', '\u200b\u200d\ufeff\u2060\u200b\u200b'],
  ['invisible letters', '\u3164\u115f\u2800\u3164\u3164\u3164'],
  ['a control character', 'Adaeze\u0007 Okafor'],
  ['a control character of Latin-1', 'Adaeze\u0085 Okafor'],
  ['right-to-left text', 'Adaeze \u202eOkafor'],
]

test('the test cases for unreadable text cover a text field of each of createCustomer, createOrder and createProduct', () => {
  const places = new Set(forPeople.map(({ endpoint, input }) => `${endpoint.id} ${input.place}`))
  for (const place of ['createCustomer body.name', 'createOrder body.note', 'createProduct body.title']) {
    expect(places).toContain(place)
  }
})

describe('400 validation_failed with invalid_text', () => {
  test.for(
    forPeople.map(({ endpoint, input }) => [endpoint.id, input.place, input] as const),
  )('the operation %s returns 400 validation_failed with invalid_text for unreadable characters in the input %s', async ([
    ,
    place,
    input,
  ]) => {
    const before = await contentsOf(started())
    const path = place.replaceAll(/\.0(?=\.|$)/g, '[0]')
    for (const [name, text] of cases) {
      const reply = await send(input, text)
      expect(reply.status, `${name}: ${reply.text}`).toBe(400)
      expect(reply.body.error.errors, name).toContainEqual(expect.objectContaining({ path, code: 'invalid_text' }))
    }
    expect(await contentsOf(started())).toEqual(before)
  })
})

test.for([
  'Adé Ọlá',
  '李',
  '\u{1f457}',
  '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
  'ا\u200cب',
])('createCustomer accepts the name %s', async (name) => {
  const body = { name, email: `${name.length}-${name.codePointAt(0)}@example.com` }
  const reply = await started().send('POST', '/api/v1/customers', { token: shop.token, body })
  expect(reply.status, reply.text).toBe(201)
  expect(reply.body.name).toBe(name)
})
