import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { queryInteger } from '../../registry/kit/query.ts'
import { faultsOf } from '../../registry/openapi/guard.ts'
import { documentOf, openApiDocument } from '../../registry/openapi/openapi.ts'
import { named, nullable } from '../../registry/values/vocabulary.ts'
import { checkSchema, contractOf } from './small-contract.ts'

/** Each test shows that the OpenAPI generator alone produces a wrong document, and that its guard reports the error. */

test('the contract guard reports nothing for the current contract', () => {
  expect(openApiDocument().openapi).toBe('3.1.0')
})

describe('operations that the contract guard reports', () => {
  const thing = { id: z.string().meta({ description: 'Which thing.' }) }

  test('the contract guard reports a duplicate operation id', () => {
    const contract = contractOf({ path: '/things' }, { path: '/stuff' })
    const document = documentOf(contract)
    expect(document.paths?.['/things']?.post?.operationId).toBe(document.paths?.['/stuff']?.post?.operationId)
    expect(faultsOf(contract, document)).toEqual([
      'Several operations have the id createThing. Client methods are named after the id: give each operation its own id.',
    ])
  })

  test('the contract guard reports two operations with the same method and path, because the generator would keep only the last', () => {
    const contract = contractOf({ id: 'createThing' }, { id: 'makeThing' })
    const document = documentOf(contract)
    expect(document.paths?.['/things']?.post?.operationId).toBe('makeThing')
    expect(faultsOf(contract, document)).toEqual([
      'The operations createThing and makeThing are both at POST /things, and the OpenAPI document would contain only the last one. Give each operation its own method and path.',
    ])
  })

  test('the contract guard reports paths that differ only in the name of a placeholder', () => {
    const contract = contractOf(
      { id: 'renameThing', path: '/things/{id}', params: z.strictObject(thing) },
      { id: 'removeThing', path: '/things/{thingId}', params: z.strictObject({ thingId: thing.id }) },
    )
    const document = documentOf(contract)
    expect(Object.keys(document.paths ?? {})).toEqual(['/things/{id}', '/things/{thingId}'])
    expect(faultsOf(contract, document)).toEqual([
      'The operations renameThing and removeThing are both at POST /things/{}, and the OpenAPI document would contain only the last one. Give each operation its own method and path.',
    ])
  })

  test('the contract guard reports a path with a placeholder in router syntax', () => {
    const contract = contractOf({ path: '/things/:id' })
    const document = documentOf(contract)
    expect(Object.keys(document.paths ?? {})).toEqual(['/things/:id'])
    expect(faultsOf(contract, document)).toEqual([
      'createThing has the path /things/:id. Use lower-case segments, and parameters in braces as in /orders/{id}.',
    ])
  })

  test('the contract guard reports a path placeholder without declared path parameters', () => {
    const contract = contractOf({ path: '/things/{id}' })
    const document = documentOf(contract)
    expect(document.paths?.['/things/{id}']?.post?.parameters).not.toContainEqual(
      expect.objectContaining({ in: 'path' }),
    )
    expect(faultsOf(contract, document)).toEqual([
      'createThing has {id} in its path, but its params do not describe it. Describe it in params.',
    ])
  })

  test('the contract guard reports declared path parameters without a path placeholder', () => {
    const contract = contractOf({ params: z.strictObject(thing) })
    const document = documentOf(contract)
    expect(document.paths?.['/things']?.post?.parameters).toContainEqual(expect.objectContaining({ in: 'path' }))
    expect(faultsOf(contract, document)).toEqual([
      'createThing describes the path parameter id, which /things does not have. Remove the parameter, or add it to the path.',
    ])
  })

  test('the contract guard reports a parameter without a description', () => {
    const contract = contractOf({ query: z.strictObject({ colour: z.string().optional() }) })
    const document = documentOf(contract)
    expect(document.paths?.['/things']?.post?.parameters?.[0]).not.toHaveProperty('description')
    expect(faultsOf(contract, document)).toEqual(['createThing does not describe colour. Add .meta({ description }).'])
  })
})

describe('schemas that the contract guard reports', () => {
  const useNullable = 'createThing body: Write `nullable(schema)` of vocabulary.ts instead of `.nullable()`.'

  test('the contract guard reports .nullable() at one use of a named schema, because the document would allow null at every use', () => {
    const Box = named('NullableBox', z.object({ width: z.int() }))
    const wrong = checkSchema('body', z.object({ wrapped: Box.nullable(), plain: Box }))
    expect(wrong.takes({ wrapped: { width: 1 }, plain: null })).toBe(true)
    expect(wrong.faults).toEqual([useNullable])
  })

  test('the contract guard reports .nullable() on a named schema that an earlier field uses, because the document would not allow null in the nullable field', () => {
    const Box = named('NullableBoxUsed', z.object({ width: z.int() }))
    const wrong = checkSchema('body', z.object({ plain: Box, wrapped: Box.nullable() }))
    expect(wrong.takes({ plain: { width: 1 }, wrapped: null })).toBe(false)
    expect(wrong.faults).toEqual([useNullable])
    const right = checkSchema('body', z.object({ plain: Box, wrapped: nullable(Box) }))
    expect(right.takes({ plain: { width: 1 }, wrapped: null })).toBe(true)
    expect(right.faults).toEqual([])
  })

  test('the contract guard reports .nullable() on a named union that is used elsewhere, because the OpenAPI document would not allow null', () => {
    const Size = named('NullableSize', z.union([z.object({ width: z.int() }), z.object({ height: z.int() })]))
    const wrong = checkSchema('body', z.object({ plain: Size, wrapped: Size.nullable() }))
    expect(wrong.takes({ plain: { width: 1 }, wrapped: null })).toBe(false)
    expect(wrong.faults).toEqual([useNullable])
  })

  test('the contract guard reports .nullable() on a literal schema, because the OpenAPI document would not allow null', () => {
    const wrong = checkSchema('body', z.literal('NG').nullable())
    expect(wrong.takes(null)).toBe(false)
    expect(wrong.faults).toEqual([useNullable])
    expect(checkSchema('body', nullable(z.literal('NG')))).toMatchObject({ faults: [] })
  })

  const lostName = (name: string) =>
    `createThing body: A schema is derived from the named schema ${name} and loses the name. Use ${name} unchanged, or derive from the unnamed schema.`

  test('the contract guard reports a description added to a named schema, which removes the schema’s name', () => {
    const wrong = checkSchema('body', named('DescribedLater', z.object({})).meta({ description: 'A box.' }))
    expect(wrong.components).not.toHaveProperty('DescribedLater')
    expect(wrong.faults).toEqual([lostName('DescribedLater')])
  })

  test('the contract guard reports a named scalar schema to which a bound was added, because the result no longer has the name', () => {
    const wrong = checkSchema('body', named('BoundedLater', z.int().min(0)).min(1))
    expect(wrong.components).not.toHaveProperty('BoundedLater')
    expect(wrong.faults).toEqual([lostName('BoundedLater')])
  })

  test('the contract guard reports two schemas with one name, because the generator uses the first schema for both', () => {
    const wrong = checkSchema(
      'body',
      z.object({ text: z.string().meta({ id: 'Twice' }), count: z.int().meta({ id: 'Twice' }) }),
    )
    expect(wrong.takes({ text: '1', count: '1' })).toBe(true)
    expect(wrong.faults).toEqual([
      'createThing body: Two schemas are named Twice. Name schemas with named(), which rejects duplicate names.',
    ])
    named('Once', z.string())
    expect(() => named('Once', z.int())).toThrow('Two schemas are named Once.')
  })

  test('the contract guard reports a regular expression with flags in a schema', () => {
    const wrong = checkSchema('body', z.string().regex(/^x$/i))
    expect(wrong.written).toEqual({ type: 'string', pattern: '^x$/i' })
    expect(wrong.faults).toEqual([
      'createThing body: The pattern /^x$/i has flags, which JSON Schema lacks. Spell them out, as in [Aa] for /a/i.',
    ])
    expect(checkSchema('body', z.string().regex(/^[Xx]$/))).toMatchObject({ faults: [] })
  })

  test('the contract guard reports type coercion in a schema', () => {
    const described = { description: 'How many.' }
    const wrong = checkSchema('query', z.coerce.number().int().meta(described))
    expect(wrong.written).toEqual({ type: ['integer', 'null'], ...described })
    expect(wrong.faults).toEqual([
      'createThing query parameter field: Coercion accepts undocumented values. Use queryInteger() in a query, and the plain type in a body.',
    ])
    expect(checkSchema('query', queryInteger({ min: 1, max: 9, example: 2, ...described }))).toMatchObject({
      faults: [],
    })
  })

  test('the contract guard reports a field with a default in a reply, because the document would not list the field as required', () => {
    const wrong = checkSchema('reply', z.object({ count: z.int().default(1) }))
    expect(wrong.written).not.toHaveProperty('required')
    expect(wrong.faults).toEqual([
      'createThing reply 201: The service does not parse its replies, so a reply schema cannot contain default. Declare the value as it is sent.',
    ])
    expect(checkSchema('body', z.object({ count: z.int().default(1) }))).toMatchObject({ faults: [] })
  })

  test('the contract guard reports a transformation in a reply schema, because the OpenAPI document would describe the value before the transformation', () => {
    const wrong = checkSchema('reply', z.string().transform(Number))
    expect(wrong.written).toEqual({ type: 'string' })
    expect(wrong.faults).toEqual([
      'createThing reply 201: The service does not parse its replies, so a reply schema cannot contain pipe. Declare the value as it is sent.',
      'createThing reply 201: The service does not parse its replies, so a reply schema cannot contain transform. Declare the value as it is sent.',
    ])
  })
})
