import type { ApiResponse } from './client.ts'
import type { DeclaredResponse, Header, Operation } from './document.ts'
import { codesOf, type Schemas } from './schemas.ts'

export function faultsOfResponse(schemas: Schemas, operation: Operation, response: ApiResponse): string[] {
  const declared = operation.responses[String(response.status)]
  if (declared === undefined) return [`${operation.id} does not declare the status ${response.status}.`]
  // A response with status 500 is a violation even where the document declares it.
  const failed = response.status === 500 ? ['The service failed with 500.'] : []
  return [
    ...[...failed, ...faultsOfHeaders(schemas, declared, response), ...faultsOfBody(schemas, declared, response)],
    ...faultsOfDuplicates(response),
  ]
}

/** Members of an error body whose values a response header repeats. */
const duplicatedMembers = [
  { header: 'Request-Id', member: 'requestId' },
  { header: 'Service-Should-Retry', member: 'retryable' },
]

/**
 * Returns a violation for each error member that differs from its response header, because a client may read either
 * value.
 */
function faultsOfDuplicates({ headers, body }: ApiResponse): string[] {
  // In a replayed response, the body has the request id of the first request, and the header has that of the current
  // request.
  if (headers.get('idempotent-replayed') === 'true') return []
  const error: object = Object(Reflect.get(Object(body), 'error'))
  return duplicatedMembers.flatMap(({ header, member }) => {
    const [inHeader, inBody]: [string | null, unknown] = [headers.get(header), Reflect.get(error, member)]
    if (inHeader === null || inBody === undefined || inHeader === String(inBody)) return []
    return [`The header ${header} is ${inHeader}, but error.${member} is ${inBody}.`]
  })
}

function faultsOfHeaders(schemas: Schemas, declared: DeclaredResponse, { headers }: ApiResponse): string[] {
  return Object.entries(declared.headers ?? {}).flatMap(([name, header]) => {
    const value = headers.get(name)
    if (value === null) return header.required === true ? [`The header ${name} is missing.`] : []
    return schemas.faultsOf(header.schema, typedHeader(header, value)).map((fault) => `The header ${name}: ${fault}.`)
  })
}

/** Returns the header value as a number where its schema is numeric, because headers are transmitted as text. */
function typedHeader({ schema }: Header, value: string): unknown {
  return (schema.type === 'integer' || schema.type === 'number') && value.trim() !== '' ? Number(value) : value
}

function faultsOfBody(schemas: Schemas, declared: DeclaredResponse, response: ApiResponse): string[] {
  const { text, body, headers, request } = response
  if (declared.content === undefined || request.method === 'HEAD') {
    return text === '' ? [] : ['The response has a body, but the document declares none.']
  }
  const type = (headers.get('content-type') ?? 'nothing').replace(/;.*/s, '').trim()
  const media = declared.content[type]
  if (media === undefined) {
    return [`The content type is ${type}, expected ${Object.keys(declared.content).join(', ')}.`]
  }
  if (type !== 'application/json') return faultsOfExport(schemas, media, type, text)
  if (body === undefined) return ['The body is not JSON.']
  const codes = codesOf(schemas, media.schema)
  const code = codeOf(body)
  if (codes.length > 0 && (code === undefined || !codes.includes(code))) {
    return [`The code is ${code ?? 'missing'}, but status ${response.status} declares ${codes.join(', ')}.`]
  }
  return schemas.faultsOf(media.schema, body).map((fault) => `The body: ${fault}.`)
}

/** Returns the violations of each line of an NDJSON export, or of the text of an export in another format. */
function faultsOfExport(
  schemas: Schemas,
  { schema }: NonNullable<DeclaredResponse['content']>[string],
  type: string,
  text: string,
): string[] {
  const records: unknown[] = type === 'application/x-ndjson' ? text.split('\n').filter(Boolean).map(parsed) : [text]
  return records.flatMap((record) => schemas.faultsOf(schema, record).map((fault) => `A record: ${fault}.`))
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

export function codeOf(body: unknown): string | undefined {
  const code: unknown = Reflect.get(Object(Reflect.get(Object(body), 'error')), 'code')
  return typeof code === 'string' ? code : undefined
}

/** The error response to an undeclared path or method must have the form of the service's other errors. */
export function faultsOfError({ headers, body }: ApiResponse): string[] {
  const isJson = headers.get('content-type')?.startsWith('application/json') ?? false
  return isJson && codeOf(body) !== undefined
    ? []
    : ['The error does not have the error format of the service: `error.code` is missing.']
}
