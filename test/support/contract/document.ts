import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import document from '../../../openapi.json' with { type: 'json' }

/** Validates responses against the published document instead of the schemas from which it was generated. */

// Ajv's optimizer takes as long as the rest of the compilation, and most of the compiled schemas validate few responses.
const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true, code: { optimize: false } })
formats.default(ajv)
ajv.addSchema(document, 'document')

interface Found {
  readonly template: string
  readonly operation: object
}

function findOperation(method: string, path: string): Found | undefined {
  const relative = path.replace(/^\/api\/v1/, '').replace(/[?#].*$/, '')
  for (const [template, item] of Object.entries(document.paths)) {
    const pattern = new RegExp(`^${template.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`)
    const operation: unknown = Reflect.get(item, method.toLowerCase())
    if (pattern.test(relative) && typeof operation === 'object' && operation !== null) return { template, operation }
  }
  return undefined
}

/** Returns the operation to which a request belongs. Undefined when the OpenAPI document does not contain one. */
export function operationIdOf(method: string, path: string): string | undefined {
  const found = findOperation(method, path)
  return found === undefined ? undefined : String(Reflect.get(found.operation, 'operationId'))
}

/** Returns the differences between a response and the OpenAPI document. The list is empty when there are none. */
export function faultsOfAnswer(
  method: string,
  path: string,
  status: number,
  body: unknown,
  mediaType = 'application/json',
): string[] {
  const found = findOperation(method, path)
  if (found === undefined) return []
  const responses: object = Reflect.get(found.operation, 'responses')
  if (!Object.hasOwn(responses, String(status))) return [`${method} ${found.template} does not declare ${status}.`]
  // If the OpenAPI document declares no content for a response, the response must have no body.
  if (!Object.hasOwn(Reflect.get(responses, String(status)), 'content'))
    return body === undefined ? [] : ['There is a body.']
  const pointer = [
    'paths',
    found.template,
    method.toLowerCase(),
    'responses',
    String(status),
    'content',
    mediaType,
    'schema',
  ]
  return faultsOfValue(pointer, body)
}

/** Validates a value against the schema to which a JSON pointer into the document leads. */
export function faultsOfValue(pointer: readonly string[], value: unknown): string[] {
  const reference = `document#/${pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`
  const validate = ajv.getSchema(reference) ?? ajv.compile({ $ref: reference })
  if (validate(value)) return []
  return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`)
}
