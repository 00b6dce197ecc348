import { z } from 'zod'

/**
 * A schema construct whose meaning is lost in the generated OpenAPI document. Only a comparison of the document with
 * Zod detects the loss.
 */
export interface Loss {
  readonly construct: string
  readonly schema: z.ZodType
  /** A value for which the OpenAPI document and Zod give different validation results. */
  readonly value: unknown
  /** `keyword` is the schema keyword that the generator's guard reports. `says` is the start of its message. */
  readonly keyword: string
  readonly says: string
  /** A schema that accepts the same values and is generated correctly. Undefined if no short schema does so. */
  readonly mended?: z.ZodType
}

const e164 = '^\\+[1-9]\\d{6,14}$'

export const losses: readonly Loss[] = [
  {
    construct: 'a literal of several values',
    schema: z.literal(['in', 'out']),
    value: 'out',
    keyword: 'enum',
    says: 'the OpenAPI document says ["in"] where Zod means ["in","out"]',
    mended: z.enum(['in', 'out']),
  },
  {
    construct: 'int32',
    schema: z.int32(),
    value: 1.5,
    keyword: 'type',
    says: 'the OpenAPI document says "number" where Zod means "integer"',
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
    says: 'the OpenAPI document contains "string", but the Zod schema does not',
    mended: z.int(),
  },
  {
    construct: 'multipleOf',
    schema: z.int().multipleOf(5),
    value: 7,
    keyword: 'multipleOf',
    says: 'the OpenAPI document leaves out 5',
    mended: z.int().multipleOf(5).meta({ multipleOf: 5 }),
  },
  {
    construct: 'startsWith',
    schema: z.string().startsWith('a'),
    value: 'b',
    keyword: 'pattern',
    says: 'the OpenAPI document leaves out "^a.*"',
    mended: z.string().regex(/^a/),
  },
  {
    construct: 'a second pattern',
    schema: z.string().regex(/a/).regex(/b/),
    value: 'a',
    keyword: 'allOf',
    says: 'the OpenAPI document leaves out [{"pattern":"a"},{"pattern":"b"}]',
    mended: z.string().regex(/a.*b|b.*a/),
  },
  {
    construct: 'e164',
    schema: z.e164(),
    value: 'x',
    keyword: 'pattern',
    says: `the OpenAPI document leaves out ${JSON.stringify(e164)}`,
    mended: z.string().regex(new RegExp(e164)),
  },
  {
    construct: 'a format of one’s own',
    schema: z.stringFormat('sku', /^[A-Z]+$/),
    value: 'x',
    keyword: 'pattern',
    says: 'the OpenAPI document leaves out "^[A-Z]+$"',
    mended: z.string().regex(/^[A-Z]+$/),
  },
  {
    construct: 'the precision of a moment',
    schema: z.iso.datetime({ precision: 3 }),
    value: '2026-11-21T08:30:00Z',
    keyword: 'pattern',
    says: 'the OpenAPI document leaves out "^(',
  },
  {
    construct: 'an IPv4 address, with an unknown format',
    schema: z.ipv4(),
    value: 'x',
    keyword: 'format',
    says: 'the OpenAPI document says "ip" where Zod means "ipv4"',
  },
  {
    construct: 'an exact length of an array',
    schema: z.array(z.int()).length(2),
    value: [1],
    keyword: 'minItems',
    says: 'the OpenAPI document leaves out 2',
    mended: z.array(z.int()).min(2).max(2),
  },
  {
    construct: 'a rule for the keys of a record',
    schema: z.record(z.string().regex(/^a/), z.int()),
    value: { b: 1 },
    keyword: 'propertyNames',
    says: 'the OpenAPI document leaves out {"type":"string","pattern":"^a"}',
    mended: z.record(z.string().regex(/^a/), z.int()).meta({ propertyNames: { type: 'string', pattern: '^a' } }),
  },
  {
    construct: 'a record that must have every key',
    schema: z.record(z.enum(['a', 'b']), z.int()),
    value: {},
    keyword: 'required',
    says: 'the OpenAPI document leaves out ["a","b"]',
    mended: z.object({ a: z.int(), b: z.int() }),
  },
  {
    construct: 'a tuple',
    schema: z.tuple([z.int()]),
    value: [1, 2],
    keyword: 'items',
    says: 'the OpenAPI document leaves out false',
  },
  {
    construct: 'exactly one of several',
    schema: z.xor([z.object({ a: z.int() }), z.object({ b: z.int() })]),
    value: { a: 1, b: 1 },
    keyword: 'oneOf',
    says: 'the OpenAPI document leaves out [',
  },
]
