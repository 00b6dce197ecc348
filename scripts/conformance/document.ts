/**
 * The parts of an OpenAPI 3.1 document that the conformance run reads. The run uses no other source about the service.
 */

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
  readonly default?: unknown
  readonly examples?: readonly unknown[]
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly schema: Schema
}

export interface Header {
  readonly required?: boolean
  readonly schema: Schema
}

export interface Media {
  readonly schema: Schema
  readonly example?: unknown
}

export interface DeclaredResponse {
  readonly headers?: Readonly<Record<string, Header>>
  readonly content?: Readonly<Record<string, Media>>
}

interface DeclaredOperation {
  readonly operationId: string
  readonly security?: readonly object[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> }
  readonly responses: Readonly<Record<string, DeclaredResponse>>
  readonly 'x-idempotency'?: string
  readonly 'x-required-scope'?: string
}

export interface OpenApi {
  readonly openapi: string
  readonly servers?: readonly { readonly url: string }[]
  readonly security?: readonly object[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, DeclaredOperation>>>>
}

export interface Operation {
  readonly id: string
  readonly method: string
  readonly template: string
  readonly isSecured: boolean
  readonly scope: string | undefined
  readonly parameters: readonly Parameter[]
  readonly body: Media | undefined
  readonly responses: Readonly<Record<string, DeclaredResponse>>
  /** Whether the operation returns the first response again for a request with the same Idempotency-Key and body. */
  readonly isIdempotent: boolean
  readonly isList: boolean
}

const methods = ['get', 'post', 'put', 'patch', 'delete']

export function operationsOf(document: OpenApi): Operation[] {
  return Object.entries(document.paths).flatMap(([template, item]) =>
    Object.entries(item)
      .filter(([method]) => methods.includes(method))
      .map(([method, declared]) => operationOf(document, { template, method, declared })),
  )
}

interface Declaration {
  readonly template: string
  readonly method: string
  readonly declared: DeclaredOperation
}

function operationOf(document: OpenApi, { template, method, declared }: Declaration): Operation {
  const parameters = declared.parameters ?? []
  const names = parameters.map(({ name }) => name)
  return {
    id: declared.operationId,
    method: method.toUpperCase(),
    template,
    isSecured: (declared.security ?? document.security ?? []).length > 0,
    scope: declared['x-required-scope'],
    parameters,
    body: declared.requestBody?.content['application/json'],
    responses: declared.responses,
    isIdempotent: declared['x-idempotency'] === 'honoured',
    isList: method === 'get' && names.includes('cursor') && names.includes('limit'),
  }
}

export function parameterOf(operation: Operation, name: string): Parameter | undefined {
  return operation.parameters.find((parameter) => parameter.name.toLowerCase() === name.toLowerCase())
}

/** Reports whether a path matches a path template. `/orders/preview` matches `/orders/{id}` as well. */
export function isAt(template: string, path: string): boolean {
  return new RegExp(`^${template.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`).test(path)
}

export function readDocument(text: string): OpenApi {
  const document: OpenApi = JSON.parse(text)
  if (!String(document.openapi).startsWith('3.1.') || typeof document.paths !== 'object') {
    throw new Error('The served document is not an OpenAPI 3.1 document.')
  }
  return document
}
