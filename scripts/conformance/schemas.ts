import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { OpenApi, Schema } from './document.ts'

/** The schemas of one document, with references resolved and compiled validators. */
export interface Schemas {
  /** Returns the schema to which a reference points, or the schema itself when it is not a reference. */
  follow(schema: Schema): Schema
  faultsOf(schema: Schema, value: unknown): string[]
}

/** Maximum number of validation errors to report. Further ones usually have the same cause as the first ones. */
const faultsMax = 5

export function schemasOf(document: OpenApi): Schemas {
  // Ajv’s optimizer takes as long as the rest of the compilation, and most schemas validate few responses.
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true, code: { optimize: false } })
  formats.default(ajv)
  ajv.addSchema(document, 'document')
  const compiled = new WeakMap<Schema, ValidateFunction>()
  const byText = new Map<string, ValidateFunction>()
  const follow = (schema: Schema): Schema =>
    schema.$ref === undefined ? schema : follow(valueAt(document, schema.$ref))
  const validatorOf = (schema: Schema): ValidateFunction => {
    const found = compiled.get(schema)
    if (found !== undefined) return found
    // Compiled validators are also stored by the text of their schema, so that a copy of a schema, which is a new
    // object, is not compiled again.
    const text = absoluteText(schema)
    const validate = byText.get(text) ?? ajv.compile(JSON.parse(text))
    byText.set(text, validate)
    compiled.set(schema, validate)
    return validate
  }
  return {
    follow,
    faultsOf: (schema, value) => {
      const validate = validatorOf(schema)
      if (validate(value)) return []
      return (validate.errors ?? []).slice(0, faultsMax).map((error) => `${error.instancePath || '/'} ${error.message}`)
    },
  }
}

/** References in the text contain the id of the OpenAPI document, so that the schema compiles outside the document. */
function absoluteText(schema: Schema): string {
  return JSON.stringify(schema, (key: string, value: unknown) =>
    key === '$ref' && typeof value === 'string' && value.startsWith('#') ? `document${value}` : value,
  )
}

function valueAt(document: OpenApi, reference: string): Schema {
  let value: unknown = document
  for (const part of reference.replace(/^#\//, '').split('/')) {
    value = Reflect.get(Object(value), decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
  }
  if (typeof value !== 'object' || value === null) throw new Error(`The document has no schema at ${reference}.`)
  return value
}

/** Returns the error codes that a response schema allows: the values of `error.code` in all of its alternatives. */
export function codesOf(schemas: Schemas, schema: Schema): string[] {
  const followed = schemas.follow(schema)
  const alternatives = followed.anyOf ?? followed.oneOf ?? [followed]
  return alternatives.flatMap((each) => {
    const error = schemas.follow(each).properties?.error
    const code = error && schemas.follow(error).properties?.code
    return code === undefined ? [] : (code.enum ?? [code.const]).map(String)
  })
}
