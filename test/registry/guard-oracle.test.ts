import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { events } from '../../registry/index.ts'
import { faultsOf } from '../../registry/openapi/guard.ts'
import { documentOf } from '../../registry/openapi/openapi.ts'
import { named, nullable } from '../../registry/values/vocabulary.ts'
import { losses } from './generator-losses.ts'
import { checkSchema, contractOf } from './small-contract.ts'

/**
 * The guard of the OpenAPI generator has rules for schemas that the generator is known to write incorrectly. The guard
 * finds all other incorrect schemas by comparing the document with Zod's JSON Schema.
 */

describe('information that the OpenAPI generator loses', () => {
  test.each(
    losses,
  )('the contract guard reports that the OpenAPI generator loses information for the schema $construct', ({
    schema,
    value,
    keyword,
    says,
    mended,
  }) => {
    const wrong = checkSchema('body', schema)
    expect(wrong.takes(value)).not.toBe(schema.safeParse(value).success)
    const start = `createThing body/properties/field/${keyword}: ${says}`
    expect(wrong.faults.map((fault) => fault.slice(0, start.length))).toContain(start)
    expect(wrong.faults.join()).toMatch(/Use another construct/)
    if (mended !== undefined) expect(checkSchema('body', mended).faults).toEqual([])
  })

  test('the contract guard reports a required field of unknown type, because the OpenAPI document marks the field as optional', () => {
    const wrong = checkSchema('reply', z.object({ anything: z.unknown() }))
    expect(wrong.takes({})).toBe(true)
    expect(wrong.faults).toEqual([
      'createThing reply 201/properties/field/required: the OpenAPI document leaves out ["anything"]. Use another construct, or state the rule in .meta({ required: ["anything"] }).',
    ])
  })

  test('the contract guard reports an intersection of schemas, which the OpenAPI generator writes as allOf', () => {
    const wrong = checkSchema('body', z.intersection(z.object({ a: z.int() }), z.object({ b: z.int() })))
    expect(wrong.written).toHaveProperty('allOf')
    expect(wrong.faults.join()).toContain('createThing body/properties/field/allOf: the OpenAPI document contains ')
    expect(checkSchema('body', z.object({ a: z.int(), b: z.int() })).faults).toEqual([])
  })

  test('the contract guard rejects a default added at one use of a named schema, because the OpenAPI generator applies it to every use', () => {
    const Size = named('DefaultedSize', z.enum(['small', 'large']))
    const wrong = checkSchema('body', z.object({ defaulted: Size.default('small'), plain: Size }))
    expect(wrong.components).toMatchObject({ DefaultedSize: { default: 'small' } })
    expect(wrong.faults.join()).toContain(
      'DefaultedSize/default: the OpenAPI document contains "small", but the Zod schema does not.',
    )
  })

  test('the contract guard reports a description added to an optional named schema, because the OpenAPI generator then inlines the schema', () => {
    const Size = named('OptionalSize', z.enum(['small', 'large']))
    const wrong = checkSchema('body', z.object({ one: Size, other: Size.optional().meta({ description: 'Another.' }) }))
    expect(wrong.written).toMatchObject({ properties: { other: { enum: ['small', 'large'] } } })
    expect(wrong.faults).toContain(
      'createThing body/properties/field/properties/other/$ref: the OpenAPI document lacks the schema name OptionalSize. Use the named schema unchanged, or wrapped only in optional().',
    )
  })

  test('the contract guard reports a named union within another union, because the OpenAPI document loses the name of the inner union', () => {
    const Size = named('UnionSize', z.union([z.object({ a: z.int() }), z.object({ b: z.int() })]))
    const wrong = checkSchema('body', nullable(Size))
    expect(wrong.components).not.toHaveProperty('UnionSize')
    expect(wrong.faults.join()).toContain('UnionSize')
  })

  test('the contract guard reports that the OpenAPI document lacks the default of a parameter with a manually declared type', () => {
    const said = z.string().transform(Number).pipe(z.int()).meta({ type: 'integer', description: 'How many.' })
    const wrong = checkSchema('query', said.default(25))
    expect(wrong.written).not.toHaveProperty('default')
    expect(wrong.faults).toEqual([
      'createThing query parameter field/default: the OpenAPI document leaves out 25. Use another construct, or state the rule in .meta({ default: 25 }).',
    ])
    expect(checkSchema('query', said.default(25).meta({ default: 25 })).faults).toEqual([])
  })

  test('the contract guard reports a schema whose manually declared type is wrong', () => {
    const wrong = checkSchema(
      'query',
      z
        .string()
        .transform(Number)
        .pipe(z.int().max(9))
        .meta({ type: 'integer', maximum: 10, description: 'How many.' }),
    )
    expect(wrong.faults).toEqual([
      'createThing query parameter field/maximum: the OpenAPI document says 10 where Zod means 9. Use another construct, or state the rule in .meta({ maximum: 9 }).',
    ])
  })
})

describe('parts of the OpenAPI document that the contract guard compares with the Zod schemas', () => {
  test('the contract guard compares every part of an operation in the OpenAPI document with the Zod schemas', () => {
    const contract = contractOf({ body: { schema: z.strictObject({}), example: {} } })
    const document = documentOf(contract)
    expect(faultsOf(contract, document)).toEqual([])
    const nothing = { ...document, paths: {}, components: {} }
    const places = faultsOf(contract, nothing).map((fault) => fault.replace(/[:/].*$/s, ''))
    expect([...new Set(places)]).toEqual([
      'createThing body',
      'createThing header parameter Idempotency-Key',
      'createThing header parameter Service-Dry-Run',
      'createThing reply 201',
      'createThing reply 400',
      'createThing reply 408',
      'createThing reply 431',
      'createThing reply 501',
      'createThing reply 505',
      'createThing reply 415',
      'createThing reply 413',
      'createThing reply 409',
      'createThing reply 503',
      'MalformedRequestError',
      'InvalidJsonError',
      'ValidationFailedError',
      'Problem',
      'RequestTimeoutError',
      'HeadersTooLargeError',
      'TransferCodingUnsupportedError',
      'HttpVersionUnsupportedError',
      'UnsupportedMediaTypeError',
      'BodyTooLargeError',
      'ConcurrentUpdateError',
      'OutcomeUnknownError',
    ])
  })

  test('the contract guard compares every part of an event with the OpenAPI document', () => {
    const contract = { endpoints: [], events: [events['order.refunded']] }
    const document = documentOf(contract)
    expect(faultsOf(contract, document)).toEqual([])
    const faults = faultsOf(contract, { ...document, webhooks: {} })
    expect(faults.map((fault) => fault.replace(/:.*$/s, ''))).toEqual([
      'order.refunded header parameter Service-Signature',
      'order.refunded header parameter webhook-id',
      'order.refunded header parameter webhook-timestamp',
      'order.refunded header parameter webhook-signature',
      'order.refunded body',
    ])
  })

  test('the contract guard also checks error responses: it reports an error code that differs between the OpenAPI document and the Zod schema', () => {
    const contract = contractOf({ body: { schema: z.strictObject({}), example: {} } })
    const text = JSON.stringify(documentOf(contract)).replace('["invalid_json"]', '["bad_json"]')
    expect(faultsOf(contract, JSON.parse(text)).join()).toContain(
      'the OpenAPI document says ["bad_json"] where Zod means ["invalid_json"]',
    )
  })
})
