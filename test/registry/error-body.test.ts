import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { errorCodes, errors, transportCodes } from '../../registry/errors/index.ts'
import { errorBodies } from '../../registry/kit/error-body.ts'
import { at } from '../../registry/openapi/guard-parts.ts'
import { nameOf } from '../../registry/openapi/guard-schemas.ts'
import { Refusal, refusalBody } from '../../src/operations/execute/refusal.ts'
import { faultsOfValue } from '../support/contract/document.ts'
import { document } from './document-walk.ts'

/** Compares the error bodies that the service writes with the contract, for each error code. */

const problem = {
  path: 'body.amountKobo',
  code: 'too_small',
  message: 'Must be at least 1.',
  fix: 'Send more.',
} as const

describe.each(errorCodes)('the error body of %s', (code) => {
  const declared = errors[code]
  const details = declared.details === undefined ? {} : Object(sampleOf(declared.details))
  const refusal = new Refusal(code, 'The message.', {
    details,
    ...(declared.type === 'validation_error' ? { problems: [problem] } : {}),
  })
  const body: unknown = JSON.parse(refusalBody(refusal, 'req_01jd3f8q6hf5n8v1zr4c7e2m9k', 'http://127.0.0.1:3000'))
  const schema = errorBodies.get(code) ?? expect.fail(code)

  test('an error body has exactly the fields of the contract', () => {
    expect(schema.safeParse(body).error).toBeUndefined()
    expect(Object.keys(Object(body))).toEqual(['error'])
    const { error } = schema.shape
    const declaredFields = error instanceof z.ZodObject ? Object.keys(error.shape) : []
    expect(Object.keys(Object(at(body, 'error')))).toEqual(declaredFields)
  })

  test('an error body matches the component of its code in the OpenAPI document, and no other component', () => {
    // The components of the OpenAPI document describe the errors of operations. They do not describe errors that occur
    // before an operation is determined.
    if (transportCodes.some((transportCode) => transportCode === code)) return
    const pointer = (name: string) => ['components', 'schemas', name]
    const own = nameOf(schema) ?? expect.fail(code)
    expect(faultsOfValue(pointer(own), body)).toEqual([])
    const errorNames = Object.keys(document.components?.schemas ?? {}).filter((name) => name.endsWith('Error'))
    expect(errorNames.filter((name) => faultsOfValue(pointer(name), body).length === 0)).toEqual([own])
  })
})

/** Returns the smallest valid value for the schema of an error's `details`. */
function sampleOf(schema: z.core.$ZodType): unknown {
  if (schema instanceof z.ZodString) return 'some text'
  if (schema instanceof z.ZodNumber) return 1
  if (schema instanceof z.ZodEnum) return schema.options[0]
  if (schema instanceof z.ZodArray) return [sampleOf(schema.element)]
  if (schema instanceof z.ZodObject) {
    return Object.fromEntries(Object.entries(schema.shape).map(([name, field]) => [name, sampleOf(field)]))
  }
  if (schema instanceof z.ZodUnion) return sampleOf(schema.options[0] ?? expect.fail('A union has options.'))
  throw new Error(`The test knows no sample of ${schema._zod.def.type}.`)
}
