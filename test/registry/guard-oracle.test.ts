import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { errorBodies } from '../../registry/error-body.ts'
import { faultsOf } from '../../registry/guard.ts'
import { documentOf } from '../../registry/openapi.ts'
import { named, nullable } from '../../registry/vocabulary.ts'
import { contractOf, judge } from './small-contract.ts'

/** What no rule names is found by comparing the document with Zod's own JSON Schema. */

interface Loss {
  readonly construct: string
  readonly schema: z.ZodType
  /** On this value the document and Zod disagree. */
  readonly value: unknown
  readonly keyword: string
  readonly says: string
  readonly mended?: z.ZodType
}

const e164 = '^\\+[1-9]\\d{6,14}$'

const losses: readonly Loss[] = [
  {
    construct: 'a literal of several values',
    schema: z.literal(['in', 'out']),
    value: 'out',
    keyword: 'enum',
    says: 'the document says ["in"] where Zod means ["in","out"]',
    mended: z.enum(['in', 'out']),
  },
  {
    construct: 'int32',
    schema: z.int32(),
    value: 1.5,
    keyword: 'type',
    says: 'the document says "number" where Zod means "integer"',
    mended: z
      .int()
      .min(-(2 ** 31))
      .max(2 ** 31 - 1),
  },
  {
    construct: 'bigint',
    schema: z.bigint(),
    value: '1',
    keyword: 'type',
    says: 'the document says "string", which Zod does not',
    mended: z.int(),
  },
  {
    construct: 'multipleOf',
    schema: z.int().multipleOf(5),
    value: 7,
    keyword: 'multipleOf',
    says: 'the document leaves out 5',
    mended: z.int().multipleOf(5).meta({ multipleOf: 5 }),
  },
  {
    construct: 'startsWith',
    schema: z.string().startsWith('a'),
    value: 'b',
    keyword: 'pattern',
    says: 'the document leaves out "^a.*"',
    mended: z.string().regex(/^a/),
  },
  {
    construct: 'a second pattern',
    schema: z.string().regex(/a/).regex(/b/),
    value: 'a',
    keyword: 'allOf',
    says: 'the document leaves out [{"pattern":"a"},{"pattern":"b"}]',
    mended: z.string().regex(/a.*b|b.*a/),
  },
  {
    construct: 'e164',
    schema: z.e164(),
    value: 'x',
    keyword: 'pattern',
    says: `the document leaves out ${JSON.stringify(e164)}`,
    mended: z.string().regex(new RegExp(e164)),
  },
  {
    construct: 'a format of one’s own',
    schema: z.stringFormat('sku', /^[A-Z]+$/),
    value: 'x',
    keyword: 'pattern',
    says: 'the document leaves out "^[A-Z]+$"',
    mended: z.string().regex(/^[A-Z]+$/),
  },
  {
    construct: 'the precision of a moment',
    schema: z.iso.datetime({ precision: 3 }),
    value: '2026-11-21T08:30:00Z',
    keyword: 'pattern',
    says: 'the document leaves out "^(',
  },
  {
    construct: 'an IPv4 address, called by a format nobody knows',
    schema: z.ipv4(),
    value: 'x',
    keyword: 'format',
    says: 'the document says "ip" where Zod means "ipv4"',
  },
  {
    construct: 'an exact length of an array',
    schema: z.array(z.int()).length(2),
    value: [1],
    keyword: 'minItems',
    says: 'the document leaves out 2',
    mended: z.array(z.int()).min(2).max(2),
  },
  {
    construct: 'a rule for the keys of a record',
    schema: z.record(z.string().regex(/^a/), z.int()),
    value: { b: 1 },
    keyword: 'propertyNames',
    says: 'the document leaves out {"type":"string","pattern":"^a"}',
    mended: z.record(z.string().regex(/^a/), z.int()).meta({ propertyNames: { type: 'string', pattern: '^a' } }),
  },
  {
    construct: 'a record that must have every key',
    schema: z.record(z.enum(['a', 'b']), z.int()),
    value: {},
    keyword: 'required',
    says: 'the document leaves out ["a","b"]',
    mended: z.object({ a: z.int(), b: z.int() }),
  },
  {
    construct: 'a tuple',
    schema: z.tuple([z.int()]),
    value: [1, 2],
    keyword: 'items',
    says: 'the document leaves out false',
  },
  {
    construct: 'exactly one of several',
    schema: z.xor([z.object({ a: z.int() }), z.object({ b: z.int() })]),
    value: { a: 1, b: 1 },
    keyword: 'oneOf',
    says: 'the document leaves out [',
  },
]

describe('what the generator loses', () => {
  test.each(losses)('$construct', ({ schema, value, keyword, says, mended }) => {
    const wrong = judge('body', schema)
    expect(wrong.takes(value)).not.toBe(schema.safeParse(value).success)
    const start = `createThing body/properties/field/${keyword}: ${says}`
    expect(wrong.faults.map((fault) => fault.slice(0, start.length))).toContain(start)
    expect(wrong.faults.join()).toMatch(/Use another construct/)
    if (mended !== undefined) expect(judge('body', mended).faults).toEqual([])
  })

  test('a field that may be anything is not required, though it is always there', () => {
    const wrong = judge('reply', z.object({ anything: z.unknown() }))
    expect(wrong.takes({})).toBe(true)
    expect(wrong.faults).toEqual([
      'createThing reply 201/properties/field/required: the document leaves out ["anything"]. Use another construct, or say it again: .meta({ required: ["anything"] }).',
    ])
  })

  test('an intersection is written as allOf', () => {
    const wrong = judge('body', z.intersection(z.object({ a: z.int() }), z.object({ b: z.int() })))
    expect(wrong.written).toHaveProperty('allOf')
    expect(wrong.faults.join()).toContain('createThing body/properties/field/allOf: the document says ')
    expect(judge('body', z.object({ a: z.int(), b: z.int() })).faults).toEqual([])
  })

  test('a default around a named schema becomes everybody’s', () => {
    const Size = named('DefaultedSize', z.enum(['small', 'large']))
    const wrong = judge('body', z.object({ defaulted: Size.default('small'), plain: Size }))
    expect(wrong.components).toMatchObject({ DefaultedSize: { default: 'small' } })
    expect(wrong.faults.join()).toContain('DefaultedSize/default: the document says "small", which Zod does not.')
  })

  test('a description around an optional named schema writes it out', () => {
    const Size = named('OptionalSize', z.enum(['small', 'large']))
    const wrong = judge('body', z.object({ one: Size, other: Size.optional().meta({ description: 'Another.' }) }))
    expect(wrong.written).toMatchObject({ properties: { other: { enum: ['small', 'large'] } } })
    expect(wrong.faults).toContain(
      'createThing body/properties/field/properties/other/$ref: the name OptionalSize is lost. Use the named schema as it is, wrapped in nothing but optional().',
    )
  })

  test('a named union within a union loses its name', () => {
    const Size = named('UnionSize', z.union([z.object({ a: z.int() }), z.object({ b: z.int() })]))
    const wrong = judge('body', nullable(Size))
    expect(wrong.components).not.toHaveProperty('UnionSize')
    expect(wrong.faults.join()).toContain('UnionSize')
  })

  test('a default after a type that was said by hand', () => {
    const said = z.string().transform(Number).pipe(z.int()).meta({ type: 'integer', description: 'How many.' })
    const wrong = judge('query', said.default(25))
    expect(wrong.written).not.toHaveProperty('default')
    expect(wrong.faults).toEqual([
      'createThing query parameter field/default: the document leaves out 25. Use another construct, or say it again: .meta({ default: 25 }).',
    ])
    expect(judge('query', said.default(25).meta({ default: 25 })).faults).toEqual([])
  })

  test('a type that was said by hand and is not true', () => {
    const wrong = judge(
      'query',
      z
        .string()
        .transform(Number)
        .pipe(z.int().max(9))
        .meta({ type: 'integer', maximum: 10, description: 'How many.' }),
    )
    expect(wrong.faults).toEqual([
      'createThing query parameter field/maximum: the document says 10 where Zod means 9. Use another construct, or say it again: .meta({ maximum: 9 }).',
    ])
  })
})

describe('what the oracle looks at', () => {
  test('every part of an operation', () => {
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
      'createThing reply 415',
      'createThing reply 413',
      'createThing reply 400',
      'createThing reply 409',
      'UnsupportedMediaTypeError',
      'BodyTooLargeError',
      'InvalidJsonError',
      'ValidationFailedError',
      'Problem',
      'ConcurrentUpdateError',
    ])
  })

  test('errors: a constant that differs from the catalogue is found', () => {
    expect(errorBodies.get('invalid_json')).toBeDefined()
    const contract = contractOf({ body: { schema: z.strictObject({}), example: {} } })
    const text = JSON.stringify(documentOf(contract)).replace('["invalid_json"]', '["bad_json"]')
    expect(faultsOf(contract, JSON.parse(text)).join()).toContain(
      'the document says ["bad_json"] where Zod means ["invalid_json"]',
    )
  })
})
