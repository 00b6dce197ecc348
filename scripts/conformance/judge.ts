import type { Answered } from './client.ts'
import type { Answer, Header, Operation } from './document.ts'
import { codesOf, type Schemas } from './schemas.ts'

/** Everything an answer does that the document does not say of it; empty when it is as promised. */
export function faultsOfAnswer(schemas: Schemas, operation: Operation, answered: Answered): string[] {
  const declared = operation.answers[String(answered.status)]
  if (declared === undefined) return [`${operation.id} does not declare the status ${answered.status}.`]
  // By its own words a service that fails has not done what it declares, whether or not it declares that it may.
  const failed = answered.status === 500 ? ['The service failed.'] : []
  return [
    ...[...failed, ...faultsOfHeaders(schemas, declared, answered), ...faultsOfBody(schemas, declared, answered)],
    ...faultsOfRepetition(answered),
  ]
}

/** What an error says in its body and in a header, where it says both. */
const saidTwice = [
  { header: 'Request-Id', member: 'requestId' },
  { header: 'Service-Should-Retry', member: 'retryable' },
]

/** A client reads the one or the other, and must do the same by either. */
function faultsOfRepetition({ headers, body }: Answered): string[] {
  // The first answer again tells of the request that was answered first.
  if (headers.get('idempotent-replayed') === 'true') return []
  const error: object = Object(Reflect.get(Object(body), 'error'))
  return saidTwice.flatMap(({ header, member }) => {
    const [inHeader, inBody]: [string | null, unknown] = [headers.get(header), Reflect.get(error, member)]
    if (inHeader === null || inBody === undefined || inHeader === String(inBody)) return []
    return [`The header ${header} is ${inHeader}, and error.${member} is ${inBody}.`]
  })
}

function faultsOfHeaders(schemas: Schemas, declared: Answer, { headers }: Answered): string[] {
  return Object.entries(declared.headers ?? {}).flatMap(([name, header]) => {
    const value = headers.get(name)
    if (value === null) return header.required === true ? [`The header ${name} is missing.`] : []
    return schemas.faultsOf(header.schema, typedHeader(header, value)).map((fault) => `The header ${name}: ${fault}.`)
  })
}

/** A header is text, whatever it says; its schema may mean the number in it. */
function typedHeader({ schema }: Header, value: string): unknown {
  return (schema.type === 'integer' || schema.type === 'number') && value.trim() !== '' ? Number(value) : value
}

function faultsOfBody(schemas: Schemas, declared: Answer, answered: Answered): string[] {
  const { text, body, headers, asked } = answered
  if (declared.content === undefined || asked.method === 'HEAD') {
    return text === '' ? [] : ['There is a body, and the document promises none.']
  }
  const type = (headers.get('content-type') ?? 'nothing').replace(/;.*/s, '').trim()
  const media = declared.content[type]
  if (media === undefined) {
    return [`The content type is ${type}; declared are ${Object.keys(declared.content).join(', ')}.`]
  }
  if (body === undefined) return ['The body is not JSON.']
  const codes = codesOf(schemas, media.schema)
  const code = codeOf(body)
  if (codes.length > 0 && (code === undefined || !codes.includes(code))) {
    return [`The code is ${code ?? 'missing'}; with ${answered.status} it declares ${codes.join(', ')}.`]
  }
  return schemas.faultsOf(media.schema, body).map((fault) => `The body: ${fault}.`)
}

/** What an error calls itself. */
export function codeOf(body: unknown): string | undefined {
  const code: unknown = Reflect.get(Object(Reflect.get(Object(body), 'error')), 'code')
  return typeof code === 'string' ? code : undefined
}

/** What is no operation’s has the shape of every error all the same. */
export function faultsOfError({ headers, body }: Answered): string[] {
  const isJson = headers.get('content-type')?.startsWith('application/json') ?? false
  return isJson && codeOf(body) !== undefined ? [] : ['The error is not one of the service’s: it has no code.']
}
