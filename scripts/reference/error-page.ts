import { STATUS_CODES } from 'node:http'
import { type ErrorCode, errorCodes, errors, problemCodes, transportCodes } from '../../registry/errors/index.ts'
import type { Endpoint } from '../../registry/kit/endpoint.ts'
import { answering, detailsSchema, operationPath, operations } from './contract.ts'
import { errorExample } from './error-example.ts'
import { fieldsOf, responseTable } from './fields.ts'
import { code, json, link, table } from './markdown.ts'
import { errorLink } from './operation-page.ts'
import type { Page } from './page.ts'

/** The page that the `docUrl` of an error leads to. */
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
      `**${status} ${STATUS_CODES[status] ?? ''}** · type ${code(type)} · ${retryable ? 'the same request may succeed later' : 'the same request will fail again'}`,
      `**Meaning.** ${meaning}`,
      `**What to do.** ${fix}`,
      waiting(errorCode),
      ...(type === 'validation_error' ? problems : []),
      ...(details.length === 0 ? [] : ['## What `details` says', responseTable(details)]),
      '## Example',
      json(errorExample(errorCode), `${status} response`),
      '## Operations that answer it',
      operationsWith(errorCode),
    ],
  }
}

function waiting(errorCode: ErrorCode): string {
  const { retryAfterSeconds, retryable } = errors[errorCode]
  if (retryAfterSeconds !== undefined) return `\`Retry-After\` says ${retryAfterSeconds} seconds.`
  return retryable ? '`Service-Should-Retry` is `true`; wait a little longer each time.' : ''
}

const problems = [
  '`errors` lists each problem found: `path` says where the value is, `code` what is wrong with it, `message` and `fix` the same in words.',
  `The codes of problems are ${problemCodes.map(code).join(', ')}. More may be added.`,
]

/** Hundreds of links would say less than one sentence. */
function operationsWith(errorCode: ErrorCode): string {
  const given: readonly ErrorCode[] = transportCodes
  const found = answering(errorCode)
  if (found.length === 0 || given.includes(errorCode))
    return 'None in particular: it is answered before an operation is chosen.'
  const group = groups.find(([, belongs]) => isSame(found, operations.filter(belongs)))
  if (group !== undefined) return `${group[0]}.`
  return found
    .map((endpoint) => `- ${link(code(endpoint.id), operationPath(endpoint))}: ${endpoint.summary}`)
    .join('\n')
}

const groups: readonly (readonly [name: string, belongs: (endpoint: Endpoint) => boolean])[] = [
  ['Every operation', () => true],
  ['Every operation that needs a token', ({ access }) => access !== 'public'],
  ['Every operation that writes', ({ kind }) => kind === 'write'],
  ['Every list', ({ kind }) => kind === 'list'],
  ['Every operation with a request body', ({ body }) => body !== undefined],
  ['Every operation with parameters or a body', ({ params, query, body }) => (params ?? query ?? body) !== undefined],
  ['Every operation that takes `If-Match`', ({ ifMatch }) => ifMatch !== undefined],
]

function isSame(some: readonly Endpoint[], others: readonly Endpoint[]): boolean {
  return some.length === others.length && some.every((endpoint) => others.includes(endpoint))
}

/** Every code, by status and then by type. */
export function errorIndex(): Page {
  const byStatus = Map.groupBy(errorCodes, (each) => errors[each].status)
  const statuses = [...byStatus].sort(([a], [b]) => a - b)
  return {
    path: 'errors',
    title: 'Errors',
    summary: 'Every error code by status, and what all errors have in common.',
    kind: 'page',
    words: ['docUrl', 'requestId', 'retryable', 'Service-Should-Retry', 'Retry-After', 'Request-Id'],
    parts: [
      'Every error has the same shape. Decide by `code`; `message` is for people and may change. Codes may be added: treat one you do not know by its status.',
      json(errorExample('insufficient_stock'), 'Error'),
      'Repeat a request unchanged only when `retryable` is true, which the header `Service-Should-Retry` repeats; wait as long as `Retry-After` says where it is sent. Name `requestId`, which is also the header `Request-Id`, when you ask for help. `docUrl` is the page of the code.',
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
