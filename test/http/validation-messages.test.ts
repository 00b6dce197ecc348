import { describe, expect, test } from 'vitest'
import { endpoints } from '../../registry/index.ts'
import type { Endpoint } from '../../registry/kit/endpoint.ts'
import { Refusal } from '../../src/http/pipeline/refusal.ts'
import { type Part, validate } from '../../src/http/pipeline/validate.ts'
import { useApi } from '../support/api.ts'
import { openShop } from '../support/shop.ts'

const started = useApi()

const wrongValues: readonly unknown[] = [
  ...[null, true, -1_000_000_000, 1e15, 1.5, '', 'x', 'x'.repeat(300_000), [], {}],
  Array.from({ length: 1_000 }, () => 'a'),
]

function problemsOf(part: Part) {
  try {
    validate([part])
    return []
  } catch (error) {
    if (error instanceof Refusal) return error.problems ?? []
    throw error
  }
}

describe('a validation message', () => {
  test('of any parameter or field starts with the rule, and never with a type of the validator', () => {
    const messages = new Set<string>()
    for (const { params, query, body } of Object.values<Endpoint>(endpoints)) {
      const parts = [
        ['path', params],
        ['query', query],
        ['body', body?.schema],
      ] as const
      for (const [root, schema] of parts)
        for (const name of Object.keys(schema?.shape ?? {}))
          for (const value of wrongValues)
            for (const { message } of problemsOf({ root, schema, input: { [name]: value } }))
              messages.add(message.replaceAll(/\d+/g, 'N'))
    }
    expect(messages.size).toBeGreaterThan(30)
    expect([...messages].filter((message) => !/^(Must |Is required|Send )/.test(message))).toEqual([])
  })

  test.for([
    ['limit=1000', 'Must be at most 100, not 1000.'],
    ['status=lost', 'Must be one of the allowed values.'],
    ['number=1', 'Must match the pattern /^ORD-[0-9A-HJKMNP-TV-Z]{8}$/.'],
    ['q=', 'Must have at least 2 characters, not 0.'],
  ] as const)('for ?%s is “%s”', async ([query, message]) => {
    const { token } = await openShop(started().context)
    const { status, body } = await started().send('GET', `/api/v1/orders?${query}`, { token })
    expect({ status, messages: body.error.errors.map((each: { message: string }) => each.message) }).toEqual({
      status: 400,
      messages: [message],
    })
  })

  test.for([
    [{ email: 5 }, 'Must be a string, not a number.'],
    [{ email: 'adaeze' }, 'Must be an email address.'],
    [{ tags: 'vip' }, 'Must be an array, not a string.'],
    [{ name: '' }, 'Must have at least 1 character, not 0.'],
  ] as const)('for the field of %j is “%s”', async ([fields, message]) => {
    const { token } = await openShop(started().context)
    const body = { name: 'Adaeze Okafor', ...fields }
    const reply = await started().send('POST', '/api/v1/customers', { token, body })
    expect(reply.body.error.errors).toContainEqual(expect.objectContaining({ message }))
  })
})
