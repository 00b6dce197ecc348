import { readFile } from 'node:fs/promises'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { errors } from '../../registry/errors/index.ts'
import { endpoints } from '../../registry/index.ts'
import { type Endpoint, mayBeUnmodified } from '../../registry/kit/endpoint.ts'
import { errorBodies } from '../../registry/kit/error-body.ts'
import { refusalsOf } from '../../registry/kit/refusals.ts'
import { at } from '../../registry/openapi/guard-parts.ts'
import { nameOf } from '../../registry/openapi/guard-schemas.ts'
import { contractFiles } from '../../scripts/generated-files.ts'
import { implementations } from '../../src/operations/implementations.ts'
import { faultsOfValue } from '../support/contract/document.ts'
import { document, operationsOf, places } from './document-walk.ts'
import { openapiStructure } from './openapi-structure.ts'

const all: readonly Endpoint[] = Object.values(endpoints)

describe('the committed OpenAPI document', () => {
  test('the committed OpenAPI document is equal to the generated document, byte for byte', async () => {
    for (const { path, text } of await contractFiles()) {
      expect(await readFile(new URL(`../../${path}`, import.meta.url), 'utf8'), path).toBe(text)
    }
  })

  test('the committed OpenAPI document is equal to the document that the service returns', async () => {
    const answered = await implementations.getOpenApiDocument.handle()
    expect(answered).toBe(await readFile(new URL('../../openapi.json', import.meta.url), 'utf8'))
  })
})

describe('validity of the OpenAPI document', () => {
  test('the OpenAPI document conforms to the OpenAPI 3.1 schema', () => {
    const validate = new Ajv2020({ strict: false, allErrors: true }).compile(openapiStructure)
    validate(document)
    expect(validate.errors).toBeNull()
    expect(validate({ ...document, info: { title: 'No version.' } })).toBe(false)
    expect(validate({ ...document, components: { schemas: { Wrong: { type: 'text' } } } })).toBe(false)
  })

  test('every schema of the OpenAPI document is valid, with a strict schema compiler', () => {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true })
    formats.default(ajv)
    // An OpenAPI keyword for code generators, which is unknown to a JSON Schema validator.
    ajv.addKeyword('discriminator')
    const schemas = Object.entries(document.components?.schemas ?? {})
    expect(schemas.length).toBeGreaterThan(50)
    for (const [name, schema] of schemas) ajv.addSchema(fileOf(schema), name)
    for (const [name] of schemas) expect(ajv.getSchema(name), name).toBeTypeOf('function')
  })

  test('every reference in the OpenAPI document is valid', () => {
    const references = [...places()].flatMap(({ node }) => ('$ref' in node ? [String(node.$ref)] : []))
    expect(references.length).toBeGreaterThan(50)
    for (const reference of references) {
      expect(reference).toMatch(/^#\/components\/schemas\/\w+$/)
      expect(at(document, ...reference.slice(2).split('/')), reference).toBeDefined()
    }
  })

  test('the OpenAPI document has no empty groups of components and no unused components', () => {
    const text = JSON.stringify(document)
    for (const [group, components] of Object.entries(document.components ?? {})) {
      expect(Object.keys(components), group).not.toEqual([])
    }
    for (const name of Object.keys(document.components?.schemas ?? {})) {
      expect(text).toContain(`"#/components/schemas/${name}"`)
    }
  })
})

describe('examples of the OpenAPI document', () => {
  test('each example that the OpenAPI document states next to a schema matches this schema', () => {
    const examples = [...places()].filter(({ node }) => 'schema' in node && 'example' in node)
    expect(examples.length).toBeGreaterThan(all.length)
    for (const { pointer, node } of examples) {
      expect(faultsOfValue([...pointer, 'schema'], at(node, 'example')), pointer.join('/')).toEqual([])
    }
  })

  test('the OpenAPI examples within a schema match that schema', () => {
    const examples = [...places()].filter(({ node }) => 'examples' in node && !('schema' in node))
    expect(examples.length).toBeGreaterThan(100)
    for (const { pointer, node } of examples) {
      const values = at(node, 'examples')
      expect(Array.isArray(values) && values.length > 0, pointer.join('/')).toBe(true)
      if (!Array.isArray(values)) continue
      for (const value of values) expect(faultsOfValue(pointer, value), pointer.join('/')).toEqual([])
    }
  })
})

describe('operations in the OpenAPI document', () => {
  const operations = new Map(
    operationsOf(document.paths).map(({ operation, ...place }) => [at(operation, 'operationId'), { operation, place }]),
  )

  test.each(all)('the OpenAPI document describes the operation $id as the registry does', (endpoint) => {
    const { operation, place } = operations.get(endpoint.id) ?? { operation: {}, place: undefined }
    expect(place).toEqual({ path: endpoint.path, method: endpoint.method.toLowerCase() })
    const isPublic = endpoint.access === 'public'
    expect(at(operation, 'security')).toEqual(isPublic ? [] : [{ apiToken: [] }])
    expect(at(operation, 'x-required-scope')).toBe(isPublic ? undefined : endpoint.access)
    const byStatus = Map.groupBy(refusalsOf(endpoint), (code) => String(errors[code].status))
    const { status = 200, further = [] } = endpoint.reply
    const successes = [status, ...further.map((other) => other.status)].map(String)
    const unmodified = mayBeUnmodified(endpoint) ? ['304'] : []
    expect(Object.keys(Object(at(operation, 'responses'))).toSorted()).toEqual(
      [...byStatus.keys(), ...successes, ...unmodified].toSorted(),
    )
    for (const [status, codes] of byStatus) {
      const names = codes.map((code) => nameOf(errorBodies.get(code) ?? expect.fail(code)))
      expect(referencesIn(at(operation, 'responses', status, 'content')), status).toEqual(names.toSorted())
    }
  })

  test('the OpenAPI document has only the operations of the registry', () => {
    expect(operations.size).toBe(all.length)
  })

  test('webhooks in the OpenAPI document need no token', () => {
    const webhooks = operationsOf(document.webhooks)
    expect(webhooks.length).toBeGreaterThan(3)
    for (const { operation } of webhooks) expect(at(operation, 'security')).toEqual([])
  })
})

function referencesIn(node: unknown): string[] {
  const found = [...places(node)].flatMap((place) => ('$ref' in place.node ? [String(place.node.$ref)] : []))
  return found.map((reference) => reference.replace(/^.*\//, '')).toSorted()
}

/** Rewrites the references in a schema, so that each component of the document can be compiled separately. */
function fileOf(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"'))
}
