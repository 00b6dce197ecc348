import { describe, expect, test } from 'vitest'
import { endpoints } from '../../registry/index.ts'
import type { Endpoint } from '../../registry/kit/endpoint.ts'
import { Refusal } from '../../src/operations/execute/refusal.ts'
import { type Part, validate } from '../../src/operations/execute/validate.ts'
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

/**
 * Sends each of several invalid values for every parameter and field of the registry. Returns the problems that the
 * service reports.
 */
function problemsOfEveryField() {
  return Object.values<Endpoint>(endpoints).flatMap(({ params, query, body }) => {
    const parts = [
      ['path', params],
      ['query', query],
      ['body', body?.schema],
    ] as const
    return parts.flatMap(([root, schema]) =>
      Object.keys(schema?.shape ?? {}).flatMap((name) =>
        wrongValues.flatMap((value) => problemsOf({ root, schema, input: { [name]: value } })),
      ),
    )
  })
}

describe('a validation message', () => {
  test('a validation message of any parameter or field starts with the rule, and never contains the validator’s type names', () => {
    const messages = new Set(problemsOfEveryField().map(({ message }) => message.replaceAll(/\d+/g, 'N')))
    expect(messages.size).toBeGreaterThan(30)
    expect([...messages].filter((message) => !/^(Must |Is required|Send )/.test(message))).toEqual([])
  })

  test.for([
    ['limit=1000', 'Must be at most 100, not 1000.'],
    ['status=lost', 'Must be one of the allowed values.'],
    ['number=1', 'Must match the pattern /^ORD-[0-9A-HJKMNP-TV-Z]{8}$/.'],
    ['q=', 'Must have at least 2 characters, not 0.'],
  ] as const)('the validation message for ?%s is “%s”', async ([query, message]) => {
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
  ] as const)('the validation message for the invalid field of %j is “%s”', async ([fields, message]) => {
    const { token } = await openShop(started().context)
    const body = { name: 'Adaeze Okafor', ...fields }
    const reply = await started().send('POST', '/api/v1/customers', { token, body })
    expect(reply.body.error.errors).toContainEqual(expect.objectContaining({ message }))
  })
})

describe('the fix of a validation error', () => {
  test('the suggested fix of a validation error names an accepted example for every value with a wrong format', () => {
    const formats = problemsOfEveryField().filter(({ code }) => code === 'invalid_format' || code === 'invalid_value')
    expect(formats.length).toBeGreaterThan(100)
    expect(formats.filter(({ fix }) => !fix.includes('such as '))).toEqual([])
  })

  test.for([
    [
      'createdFrom=2026-11-25T08:30:00+01:00',
      'Percent-encode a plus sign as %2B, such as 2026-11-21T09:30:00%2B01:00.',
    ],
    ['createdFrom=yesterday', 'Send a value such as 2026-11-21T09:30:00%2B01:00.'],
    ['customerId=Adaeze', 'Send a value such as cus_01jd3f8q6hf5n8v1zr4c7e2m9k.'],
  ] as const)('the suggested fix for the invalid query ?%s is “%s”', async ([query, fix]) => {
    const { token } = await openShop(started().context)
    const { body } = await started().send('GET', `/api/v1/orders?${query}`, { token })
    expect(body.error.errors.map((each: { fix: string }) => each.fix)).toEqual([fix])
  })

  test.for([
    [
      'POST',
      'logistics/dispatch',
      { reference: 'a', quoteId: 'qte_01jd3f8q6hf5n8v1zr4c7e2m9k', carriers: ['simulator-swift'] },
    ],
    ['POST', 'discounts', { title: 'A', code: 'A', type: 'free_shipping', amountKobo: 100 }],
    ['GET', 'logistics/surge?zone=lag-lekki-1&lat=6.4&lng=3.4', undefined],
  ] as const)('for two fields that exclude each other, the suggested fix is to leave one of them out: %s %s', async ([
    method,
    path,
    body,
  ]) => {
    const { token } = await openShop(started().context)
    const reply = await started().send(method, `/api/v1/${path}`, { token, body })
    expect(reply.body.error.errors.map((each: { fix: string }) => each.fix)).toContain('Leave the field out.')
  })

  test.for([
    [{ phone: '12' }, 'Send a value such as "08031234567".'],
    [{ email: 5 }, 'Send a string, such as "adaeze.okafor@example.com".'],
  ] as const)('the suggested fix for the invalid field of %j is “%s”', async ([fields, fix]) => {
    const { token } = await openShop(started().context)
    const body = { name: 'Adaeze Okafor', email: 'adaeze@example.com', ...fields }
    const reply = await started().send('POST', '/api/v1/customers', { token, body })
    expect(reply.body.error.errors.map((each: { fix: string }) => each.fix)).toEqual([fix])
  })
})
