import { STATUS_CODES } from 'node:http'
import { type ErrorCode, errorCodes, errors, problemCodes, transportCodes } from '../../registry/errors/index.ts'
import type { Endpoint } from '../../registry/kit/endpoint.ts'
import { detailsSchema, operationPath, operations, operationsReturning } from './contract.ts'
import { causeOf } from './error-case-table.ts'
import { errorExample } from './error-example.ts'
import { fieldsOf, responseTable } from './fields.ts'
import { code, json, link, table } from './markdown.ts'
import { errorLink } from './operation-page.ts'
import type { Page } from './page.ts'

/** Returns the page of an error code, to which the `docUrl` of the error leads. */
export function errorPage(errorCode: ErrorCode): Page {
  const { status, type, meaning, fix, retryable } = errors[errorCode]
  const details = fieldsOf(detailsSchema(errorCode))
  return {
    path: `errors/${errorCode}`,
    title: errorCode,
    summary: meaning.replaceAll('`', ''),
    kind: 'error',
    badges: [String(status)],
    words: [type, fix.replaceAll('`', ''), ...details.map(({ path }) => path)],
    parts: [
      `**${status} ${STATUS_CODES[status] ?? ''}** · type ${code(type)} · ${retryable ? 'retryable' : 'not retryable'}`,
      `**Meaning.** ${meaning}`,
      `**Solution.** ${fix}`,
      waiting(errorCode),
      ...(type === 'validation_error' ? problems : []),
      ...(details.length === 0 ? [] : ['## Fields of `details`', responseTable(details)]),
      '## Example',
      json(errorExample(errorCode), `${status} response`),
      `**In test mode.** ${causeOf(errorCode)}`,
      '## Returned by',
      operationsWith(errorCode),
    ],
  }
}

function waiting(errorCode: ErrorCode): string {
  const { retryAfterSeconds, retryable } = errors[errorCode]
  if (retryAfterSeconds !== undefined) return `\`Retry-After\` is ${retryAfterSeconds} seconds.`
  return retryable ? 'Retry with exponential backoff and jitter.' : ''
}

const problems = [
  '`errors` lists each invalid value: `path` is its location, `code` the kind of problem, `message` and `fix` are texts for people.',
  `The values of \`errors[].code\` are ${problemCodes.map(code).join(', ')}. Later releases may add more.`,
]

/**
 * Returns a list of the operations that return an error code, or one sentence if a whole class of operations returns
 * it.
 */
function operationsWith(errorCode: ErrorCode): string {
  const given: readonly ErrorCode[] = transportCodes
  const found = operationsReturning(errorCode)
  if (found.length === 0 || given.includes(errorCode))
    return 'Any request: the error occurs before an operation is selected.'
  const group = groups.find(([, belongs]) => isSame(found, operations.filter(belongs)))
  if (group !== undefined) return `${group[0]}.`
  return found
    .map((endpoint) => `- ${link(code(endpoint.id), operationPath(endpoint))}: ${endpoint.summary}`)
    .join('\n')
}

const groups: readonly (readonly [name: string, belongs: (endpoint: Endpoint) => boolean])[] = [
  ['Every operation', () => true],
  ['Every operation that needs a token', ({ access }) => access !== 'public'],
  ['Every write operation', ({ kind }) => kind === 'write'],
  ['Every list operation', ({ kind }) => kind === 'list'],
  ['Every operation with a request body', ({ body }) => body !== undefined],
  ['Every operation with parameters or a body', ({ params, query, body }) => (params ?? query ?? body) !== undefined],
  ['Every operation that takes `If-Match`', ({ ifMatch }) => ifMatch !== undefined],
]

function isSame(some: readonly Endpoint[], others: readonly Endpoint[]): boolean {
  return some.length === others.length && some.every((endpoint) => others.includes(endpoint))
}

export function errorIndex(): Page {
  const byStatus = Map.groupBy(errorCodes, (each) => errors[each].status)
  const statuses = [...byStatus].sort(([a], [b]) => a - b)
  return {
    path: 'errors',
    title: 'Error codes',
    summary: 'All error codes by HTTP status.',
    kind: 'page',
    words: ['docUrl', 'requestId', 'retryable', 'Service-Should-Retry', 'Retry-After', 'Request-Id'],
    parts: [
      `All errors have the same structure, which the guide ${link('Errors', 'guides/errors')} describes. Handle errors by \`code\`; \`message\` is for people and may change. Handle an unknown code by its status, because later releases may add codes.`,
      json(errorExample('insufficient_stock'), 'Error'),
      'Retry an unchanged request only if `retryable` is true; the header `Service-Should-Retry` has the same value. If the response has the header `Retry-After`, wait for that number of seconds. Include `requestId` in support requests; the header `Request-Id` has the same value. `docUrl` links to the page of the code.',
      ...statuses.flatMap(([status, codes]) => [`## ${status} ${STATUS_CODES[status] ?? ''}`, codeTable(codes)]),
    ],
  }
}

function codeTable(codes: readonly ErrorCode[]): string {
  const byType = [...Map.groupBy(codes, (each) => errors[each].type).values()].flat()
  return table(
    ['Code', 'Type', 'Meaning', 'Retry'],
    byType.map((each) => [
      errorLink(each),
      code(errors[each].type),
      errors[each].meaning,
      errors[each].retryable ? 'yes' : 'no',
    ]),
  )
}
