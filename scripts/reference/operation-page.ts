import { STATUS_CODES } from 'node:http'
import { type ErrorCode, errors } from '../../registry/errors/index.ts'
import type { EndpointId } from '../../registry/index.ts'
import { apiRoot, type Endpoint } from '../../registry/kit/endpoint.ts'
import { eventKinds } from '../../registry/kit/event.ts'
import { refusalsOf } from '../../registry/kit/refusals.ts'
import { at } from '../../registry/openapi/guard-parts.ts'
import { cursorLifetimeHours } from '../../registry/values/limits.ts'
import { operationPath, written } from './contract.ts'
import { errorExample } from './error-example.ts'
import { dependsOn, type Field, fieldsOf, requestTable, responseTable, typeOf } from './fields.ts'
import { idempotencyOf } from './idempotency.ts'
import { lifecycleOf } from './lifecycles.ts'
import { limitsOf } from './limits.ts'
import { code, fenced, firstSentence, json, link, listed, plain, table } from './markdown.ts'
import type { Page } from './page.ts'
import { demoUrl } from './samples/request.ts'
import { samplesOf } from './samples.ts'

type Operation = Endpoint & { readonly id: EndpointId }

export function operationPage(endpoint: Operation): Page {
  const route = `${apiRoot}${endpoint.path}`
  const parameters = parametersOf(endpoint)
  const body = fieldsOf(written(endpoint, 'requestBody', 'content', 'application/json', 'schema'))
  const reply = fieldsOf(written(endpoint, ...contentOf(successesOf(endpoint)[0] ?? 200), 'schema'))
  return {
    path: operationPath(endpoint),
    title: endpoint.summary,
    summary: plain(firstSentence(endpoint.description)),
    kind: 'operation',
    method: endpoint.method,
    route,
    badges: [
      ...(endpoint.stability === undefined ? [] : [endpoint.stability]),
      ...(endpoint.deprecated === undefined ? [] : ['deprecated']),
    ],
    words: [
      endpoint.id,
      plain(endpoint.description),
      ...[...parameters, ...body, ...reply].map(({ path }) => path.replaceAll('[]', '')),
      ...(endpoint.refusals ?? []),
    ],
    parts: [
      code(`${endpoint.method} ${route}`),
      badges(endpoint),
      ...deprecation(endpoint),
      endpoint.description ?? '',
      ...samples(endpoint),
      ...parameterParts(parameters),
      ...bodyParts(endpoint, body),
      ...idempotency(endpoint),
      ...responseParts(endpoint),
      ...pagination(endpoint),
      ...errorParts(endpoint),
      ...related(endpoint, reply),
    ],
  }
}

/** Returns where the OpenAPI document describes the content of a successful response. */
function contentOf(status: number): readonly [string, string, string, string] {
  return ['responses', String(status), 'content', 'application/json']
}

function badges(endpoint: Operation): string {
  const scope = endpoint.access === 'public' ? 'no token required' : `scope ${link(code(endpoint.access), 'scopes')}`
  const { badge } = idempotencyOf(endpoint.id)
  const marks = [
    ...(endpoint.stability === 'beta' ? ['**Beta**'] : []),
    ...(endpoint.deprecated === undefined ? [] : ['**Deprecated**']),
  ]
  return [...marks, scope, badge].join(' · ')
}

function deprecation({ deprecated }: Operation): string[] {
  if (deprecated === undefined) return []
  const { since, sunset, advice } = deprecated
  const end =
    sunset === undefined ? 'It works unchanged; no sunset is announced yet.' : `It may be removed from ${sunset} on.`
  return [`Deprecated since ${since}. ${advice} ${end}`]
}

function samples(endpoint: Operation): string[] {
  const titles = { curl: 'curl', typescript: 'TypeScript', python: 'Python' }
  const languages = { curl: 'sh', typescript: 'ts', python: 'python' }
  return samplesOf(endpoint.id).map((sample) =>
    fenced(sample.code, languages[sample.language], titles[sample.language]),
  )
}

interface Parameter extends Field {
  readonly place: 'path' | 'query' | 'header'
}

function parametersOf(endpoint: Operation): Parameter[] {
  const given = written(endpoint, 'parameters')
  const all: readonly unknown[] = Array.isArray(given) ? given : []
  return all.map((parameter) => {
    const schema = at(parameter, 'schema')
    const isList = at(schema, 'type') === 'array'
    return {
      place: placeOf(at(parameter, 'in')),
      path: String(at(parameter, 'name')),
      type: typeOf(schema),
      isRequired: at(parameter, 'required') === true,
      meaning: String(at(parameter, 'description') ?? ''),
      limits: [
        ...limitsOf(schema).filter((limit) => !(isList && limit.endsWith('entries.'))),
        ...(isList ? ['Separate values with commas.'] : []),
      ],
      example: at(schema, 'examples', '0'),
    }
  })
}

function placeOf(place: unknown): Parameter['place'] {
  return place === 'path' || place === 'header' ? place : 'query'
}

function parameterParts(parameters: readonly Parameter[]): string[] {
  const titles = { path: 'Path parameters', query: 'Query parameters', header: 'Request headers' }
  const byPlace = Map.groupBy(parameters, ({ place }) => place)
  return [...byPlace].flatMap(([place, those]) => [
    `## ${titles[place]}`,
    requestTable(those, place === 'header' ? 'Header' : 'Parameter'),
  ])
}

function bodyParts(endpoint: Operation, fields: readonly Field[]): string[] {
  if (endpoint.body === undefined) return []
  const optional = fields.every(({ isRequired }) => !isRequired) ? ' All fields are optional.' : ''
  return [
    '## Request body',
    `JSON. Fields that are not in this table are rejected.${optional}`,
    requestTable(fields),
    json(endpoint.body.example, 'Request body'),
  ]
}

function idempotency(endpoint: Operation): string[] {
  if (endpoint.kind !== 'write') return []
  const { text } = idempotencyOf(endpoint.id)
  const conditional =
    endpoint.ifMatch === 'honoured'
      ? [
          `With \`If-Match\`, the request is rejected with ${errorLink('version_conflict')} if the record has another version.`,
        ]
      : []
  return ['## Idempotency', [text, ...conditional].join('\n\n')]
}

function successesOf(endpoint: Operation): number[] {
  const { status = 200, further = [] } = endpoint.reply
  return [status, ...further.map((each) => each.status)]
}

function responseParts(endpoint: Operation): string[] {
  const [main = 200, ...others] = successesOf(endpoint)
  const fields = fieldsOf(written(endpoint, ...contentOf(main), 'schema'))
  const unmodified = written(endpoint, 'responses', '304')
  return [
    '## Responses',
    `### ${named(main)}`,
    endpoint.reply.meaning,
    headerTable(written(endpoint, 'responses', String(main), 'headers')),
    json(written(endpoint, ...contentOf(main), 'example'), `${main} response`),
    fields.length === 0 ? '' : responseTable(fields),
    ...others.flatMap((status) => [
      `### ${named(status)}`,
      `${String(written(endpoint, 'responses', String(status), 'description'))} The headers and the body are the same as for ${main}.`,
    ]),
    ...(unmodified === undefined
      ? []
      : [`### ${named(304)}`, String(at(unmodified, 'description')), headerTable(at(unmodified, 'headers'))]),
  ]
}

function named(status: number): string {
  return `${status} ${STATUS_CODES[status] ?? ''}`.trim()
}

function headerTable(headers: unknown): string {
  return table(
    ['Header', 'Meaning'],
    Object.entries(Object(headers)).map(([name, header]) => [code(name), String(at(header, 'description') ?? '')]),
  )
}

function pagination(endpoint: Operation): string[] {
  if (endpoint.kind !== 'list') return []
  return [
    '## Pagination',
    `To get the next page, send \`pagination.cursor\` as \`cursor\`, until \`pagination.hasMore\` is false. The cursor includes the filters and is valid for ${cursorLifetimeHours} hours. New records do not shift or repeat a page. See ${link('Pagination', 'guides/pagination')}.`,
    fenced(loop(endpoint), 'sh', 'Every page'),
  ]
}

/**
 * Returns a shell loop for any POSIX shell. It runs in a subshell, so that a rejected request ends the loop with an
 * error.
 */
function loop(endpoint: Operation): string {
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => exampleOfParameter(endpoint, name))
  return [
    '(cursor=',
    'while :; do',
    `  page=$(curl -sS --fail-with-body "${demoUrl}${apiRoot}${path}?limit=100\${cursor:+&cursor=$cursor}" -H "Authorization: Bearer $COMMERCE_TOKEN") || exit 1`,
    `  echo "$page"`,
    `  cursor=$(echo "$page" | sed -n 's/.*"cursor":"\\([^"]*\\)".*/\\1/p')`,
    `  [ "$cursor" ] || break`,
    'done)',
  ].join('\n')
}

function exampleOfParameter(endpoint: Operation, name: string): string {
  const found = parametersOf(endpoint).find(({ path }) => path === name)
  return String(found?.example ?? name)
}

function errorParts(endpoint: Operation): string[] {
  const codes = refusalsOf(endpoint)
  if (codes.length === 0) return []
  const own = new Set<ErrorCode>([
    ...(endpoint.refusals ?? []),
    ...codes.filter((each) => each === 'version_conflict' || each.includes('idempotency')),
  ])
  const particular = codes.filter((each) => own.has(each))
  const general = codes.filter((each) => !own.has(each))
  const shown = [...(endpoint.refusals ?? []), ...general]
  // The example is an error with `details`, if the operation has one, because it shows more of the error structure.
  const first = shown.find((each) => errors[each].details !== undefined) ?? shown[0]
  return [
    '## Errors',
    ...(particular.length === 0 ? [] : ['### Specific to this operation', errorTable(particular)]),
    ...(general.length === 0 ? [] : ['### Common to similar requests', errorTable(general)]),
    ...(first === undefined ? [] : [json(errorExample(first), `${errors[first].status} ${first}`)]),
  ]
}

function errorTable(codes: readonly ErrorCode[]): string {
  const sorted = codes.toSorted((a, b) => errors[a].status - errors[b].status)
  return table(
    ['Status', 'Code', 'Meaning', 'Solution', 'Retry'],
    sorted.map((each) => {
      const { status, meaning, fix, retryable } = errors[each]
      return [String(status), errorLink(each), meaning, fix, retryable ? 'yes' : 'no']
    }),
  )
}

export function errorLink(errorCode: ErrorCode): string {
  return link(code(errorCode), `errors/${errorCode}`)
}

function related(endpoint: Operation, reply: readonly Field[]): string[] {
  const lifecycle = lifecycleOf(endpoint)
  const events = endpoint.emits ?? []
  const lines = [
    ...(reply.some(({ meaning }) => meaning === dependsOn('event'))
      ? [
          `The page of each event describes its \`data\`: ${listed(eventKinds.map((kind) => link(code(kind), `webhooks/${kind}`)))}.`,
        ]
      : []),
    ...(events.length === 0
      ? []
      : [
          `Emits ${listed(events.map((kind) => link(code(kind), `webhooks/${kind}`)))} to your ${link('webhook endpoints', 'guides/webhooks')}.`,
        ]),
    ...(lifecycle === undefined
      ? []
      : [`${link(lifecycle.title, lifecycle.path)} lists every status and its transitions.`]),
  ]
  return lines.length === 0 ? [] : ['## Related', ...lines]
}
