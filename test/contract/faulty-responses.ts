import type { EndpointId } from '../../registry/index.ts'
import type { Check } from '../../scripts/conformance/ledger.ts'
import type { Alteration, ProxiedRequest, ProxiedResponse } from '../support/contract/faulty-server.ts'

/** Servers that deviate from their OpenAPI document, and the violations that the conformance run must report. */

export interface Mutation {
  /** How the server deviates from its OpenAPI document. */
  readonly what: string
  readonly only: readonly EndpointId[]
  readonly check: Check
  /**
   * Creates the alteration of the server's responses for one run. Every run needs a new alteration, because some
   * alterations store earlier requests.
   */
  readonly alter: () => Alteration
  readonly found: readonly RegExp[]
}

const isOrder = (path: string) => /\/orders\/ord_\w+$/.test(path)
const isOrders = (path: string) => /\/orders(\?|$)/.test(path)

const orderReads = ['listOrders', 'getOrder'] as const

/** Returns a server that deviates from its OpenAPI document in one way, by changing a response. */
function answering(what: string, check: Check, answer: NonNullable<Alteration['answer']>, found: RegExp): Mutation {
  return { what, only: orderReads, check, alter: () => ({ answer }), found: [found] }
}

const answers: readonly Mutation[] = [
  answering(
    'with an undeclared status',
    'example',
    (asked, answer) => (isOrder(asked.path) ? { ...answer, status: 202 } : answer),
    /^getOrder: getOrder does not declare the status 202/,
  ),
  answering(
    'without a required header',
    'example',
    (_, answer) => withHeader(answer, 'request-id', undefined),
    /The header Request-Id is missing/,
  ),
  answering(
    'with null for a field that is not nullable',
    'example',
    (asked, answer) => (isOrders(asked.path) ? replaced(answer, /"customer":\{/, '"customer":null,"was":{') : answer),
    /^listOrders: The body: \/data\/0\/customer must be object/,
  ),
  answering(
    'with another operation’s code',
    'tenancy',
    (_, answer) => replaced(answer, /"code":"order_not_found"/, '"code":"product_not_found"'),
    /^getOrder: The code is product_not_found/,
  ),
  answering(
    'with another content type',
    'example',
    (_, answer) => withHeader(answer, 'content-type', 'text/html'),
    /The content type is/,
  ),
  answering(
    'with a server error',
    'example',
    (asked, answer) => (isOrder(asked.path) ? { ...answer, status: 500 } : answer),
    /The service failed/,
  ),
  answering(
    'with a record listed twice',
    'pages',
    (asked, answer) => (isOrders(asked.path) ? replaced(answer, /"data":\[(\{.*?\}\}),/, '"data":[$1,$1,') : answer),
    /^listOrders: ord_\w+ is listed twice/,
  ),
  answering(
    'with fewer records than the default limit',
    'pages',
    ({ path }, answer) => (path.endsWith('/orders') ? shortened(answer, { limit: 10, hasMore: true }) : answer),
    /^listOrders: pagination\.limit is 10, expected 25/,
  ),
  answering(
    'with fewer records than the default limit and hasMore: false',
    'pages',
    ({ path }, answer) => (path.endsWith('/orders') ? shortened(answer, { hasMore: false }) : answer),
    /^listOrders: The page has 10 records; the default limit is 25 and \d+ records exist/,
  ),
  answering(
    'with 200 to a rejected request',
    'pages',
    (asked, answer) => (isOrders(asked.path) && answer.status === 400 ? { ...answer, status: 200 } : answer),
    /^listOrders: .*expected 400, found 200/,
  ),
  answering(
    'with 404 to a request without the scope',
    'scope',
    (asked, answer) => (isOrder(asked.path) && answer.status === 403 ? { ...answer, status: 404 } : answer),
    /^getOrder: Without the scope orders:read: expected 403/,
  ),
  answering(
    'with 200 to an unknown method',
    'methods',
    (asked, answer) => (asked.method === 'PUT' ? { ...answer, status: 200 } : answer),
    /PUT is not declared: expected 405/,
  ),
  answering(
    'with a retry header that contradicts the body',
    'tenancy',
    (_, answer) => (answer.status === 404 ? withHeader(answer, 'service-should-retry', 'true') : answer),
    /^getOrder: The header Service-Should-Retry is true, but error\.retryable is false/,
  ),
  answering(
    'with a request id that differs from the body’s',
    'tenancy',
    (_, answer) => withHeader(answer, 'request-id', `req_${'0'.repeat(26)}`),
    /^getOrder: The header Request-Id is req_0+, but error\.requestId is req_/,
  ),
]

const behaviours: readonly Mutation[] = [
  {
    what: 'with the oldest orders first, on every page',
    only: ['listOrders'],
    check: 'pages',
    alter: () => {
      const isListed = ({ method, path }: ProxiedRequest) => method === 'GET' && isOrders(path)
      return {
        ask: (asked) => (isListed(asked) ? { ...asked, path: '/api/v1/orders?limit=100' } : asked),
        answer: (asked, answer) => (isListed(asked) ? oldestFirst(asked, answer) : answer),
      }
    },
    found: [/^listOrders: The records are not sorted by newest first: ord_\w+ of .* comes after ord_/],
  },
  {
    what: 'with unfiltered orders to a filter',
    only: ['listOrders'],
    check: 'filters',
    alter: () => ({ ask: (asked) => ({ ...asked, path: asked.path.replace(/&(status|createdTo)=[^&]*/, '') }) }),
    found: [
      /^listOrders: status=\w+ returns ord_\w+, which does not match/,
      /^listOrders: createdTo=\S+ returns ord_\w+, which does not match/,
    ],
  },
  {
    what: 'with no order to any filter',
    only: ['listOrders'],
    check: 'filters',
    alter: () => ({
      answer: ({ path }, answer) =>
        path.includes('&status=') ? edited(answer, (page) => ({ ...page, data: [] })) : answer,
    }),
    found: [/^listOrders: status=\w+ returns no record/],
  },
  {
    what: 'with a Location that leads to no record',
    only: ['createCustomer'],
    check: 'example',
    alter: () => ({
      answer: (_, real) => (real.headers.has('location') ? withHeader(real, 'location', '/api/v1/nowhere') : real),
    }),
    found: [/^createCustomer: Location is \/api\/v1\/nowhere, which returns 404/],
  },
  {
    what: 'with a rejection of the current version in If-Match',
    only: ['listOrders', 'updateOrder'],
    check: 'versions',
    alter: () => ({
      answer: ({ method, headers }, real) =>
        method === 'PATCH' && headers.has('if-match') && real.status === 200 ? { ...real, status: 400 } : real,
    }),
    found: [/^updateOrder: With the current ETag the request is rejected with 400, without If-Match it succeeds/],
  },
  {
    what: 'with a dry run header to a request that it has executed',
    only: ['listOrders', 'updateOrder', 'createProduct'],
    check: 'dry-run',
    alter: () => ({
      ask: (asked) => ({ ...asked, headers: withoutHeader(asked.headers, 'service-dry-run') }),
      answer: ({ headers }, real) =>
        headers.get('service-dry-run') === 'true' ? withHeader(real, 'service-dry-run', 'true') : real,
    }),
    found: [
      /^createProduct: A dry run changed GET \/products\?/,
      /^createProduct: A dry run created prd_/,
      /^updateOrder: A dry run changed GET \/orders\/ord_\w+\./,
    ],
  },
  {
    what: 'without the dry run header to a dry run',
    only: ['createProduct'],
    check: 'dry-run',
    alter: () => ({ answer: (_, real) => withHeader(real, 'service-dry-run', undefined) }),
    found: [/^createProduct: The header Service-Dry-Run is missing in the response to a dry run/],
  },
  {
    what: 'with a new refund to a repeated key',
    only: ['listOrders', 'createRefund'],
    check: 'idempotency',
    alter: () => ({
      answer: ({ path }, real) =>
        path.endsWith('/refunds') ? replaced(real, /"id":"rfd_/, `"id":"rfd_${performance.now()}`) : real,
    }),
    found: [/^createRefund: The same key and body returned/],
  },
  {
    what: 'with the first reply to a repeated key, and refunds again',
    only: ['listOrders', 'createRefund'],
    check: 'idempotency',
    alter: () => {
      const kept = new Map<string, ProxiedResponse>()
      return {
        ask: (asked) => ({ ...asked, headers: withoutHeader(asked.headers, 'idempotency-key') }),
        answer: ({ method, headers }, real) => {
          const key = headers.get('idempotency-key')
          if (method !== 'POST' || key === null) return real
          const first = kept.get(key) ?? real
          if (first.status === 201) kept.set(key, first)
          return first
        },
      }
    },
    found: [/^createRefund: The same key and body changed GET \/refunds\?\S*orderId=ord_\w+/],
  },
  {
    what: 'with another merchant’s orders',
    only: ['listOrders'],
    check: 'tenancy',
    alter: () => {
      let own: ProxiedResponse | undefined
      return {
        answer: ({ path }, real) => {
          if (!path.endsWith('/orders?limit=100')) return real
          own ??= real
          return { ...own, headers: real.headers }
        },
      }
    },
    found: [/^listOrders: Both merchants list ord_/],
  },
]

export const faultyResponses: readonly Mutation[] = [...answers, ...behaviours]

function withHeader(answer: ProxiedResponse, name: string, value: string | undefined): ProxiedResponse {
  const headers = withoutHeader(answer.headers, name)
  if (value !== undefined) headers.set(name, value)
  return { ...answer, headers }
}

function withoutHeader(all: Headers, name: string): Headers {
  const headers = new Headers(all)
  headers.delete(name)
  return headers
}

export function replaced(answer: ProxiedResponse, pattern: RegExp, replacement: string): ProxiedResponse {
  return { ...answer, text: answer.text.replace(pattern, replacement) }
}

interface Page {
  readonly data: readonly object[]
  readonly pagination: object
}

/** Returns the body of a list page with changed records. Returns any other body unchanged. */
function edited(answer: ProxiedResponse, edit: (page: Page) => Page): ProxiedResponse {
  return answer.status === 200 ? { ...answer, text: JSON.stringify(edit(JSON.parse(answer.text))) } : answer
}

function shortened(answer: ProxiedResponse, pagination: object): ProxiedResponse {
  return edited(answer, (page) => ({
    data: page.data.slice(0, 10),
    pagination: { ...page.pagination, ...pagination },
  }))
}

/** Returns a page of the list in reversed order. The cursor of this page is an offset in the reversed list. */
function oldestFirst({ path }: ProxiedRequest, answer: ProxiedResponse): ProxiedResponse {
  const query = new URL(path, 'http://service').searchParams
  const [from, limit] = [Number(query.get('cursor') ?? 0), Number(query.get('limit') ?? 25)]
  return edited(answer, ({ data }) => {
    const hasMore = from + limit < data.length
    const pagination = { cursor: hasMore ? String(from + limit) : null, limit, hasMore }
    return { data: [...data].reverse().slice(from, from + limit), pagination }
  })
}
