import { endpoints, events } from '../../registry/index.ts'
import { documentOf } from '../../registry/openapi/openapi.ts'
import type { Alteration } from '../support/contract/faulty-server.ts'
import type { Mutation } from './faulty-responses.ts'

/**
 * Faulty servers, and the violations that the conformance run must report for them. Each server has one fault in how it
 * reads HTTP, JSON or the query string.
 */

const orders = ['listOrders', 'getOrder', 'updateOrder'] as const

const headOf = (rewrite: NonNullable<Alteration['head']>) => (): Alteration => ({ head: rewrite })

const heads: readonly Mutation[] = [
  {
    what: 'keeps the first of two headers with one name',
    only: [...orders, 'createRefund'],
    check: 'http',
    alter: headOf((head) => withoutRepeated(head)),
    found: [
      /^listOrders: The header Host is sent twice: expected 400/,
      /^getOrder: The header Authorization is sent twice: expected 400/,
      /^updateOrder: The header Content-Type is sent twice: expected 400/,
      /^updateOrder: The header If-Match is sent twice: expected 400/,
      /^updateOrder: The header Service-Dry-Run is sent twice: expected 400/,
      /^createRefund: The header Idempotency-Key is sent twice: expected 400/,
    ],
  },
  {
    what: 'joins two idempotency keys to a third',
    only: ['listOrders', 'createRefund'],
    check: 'http',
    alter: headOf((head) => head.replace(/(\r\nIdempotency-Key: [^\r]*)\r\nIdempotency-Key: ([^\r]*)/i, '$1, $2')),
    found: [/^createRefund: The header Idempotency-Key is sent twice: expected 400/],
  },
  {
    what: 'rejects two Host headers after it has written',
    only: ['listCustomers', 'createCustomer'],
    check: 'http',
    alter: () => ({
      answer: ({ rawHeaders = [] }, real) =>
        timesIn(rawHeaders, 'host') > 1 && real.status < 300 ? { ...real, status: 400 } : real,
    }),
    found: [/^createCustomer: A request with a malformed head changed GET \/customers\?\S+/],
  },
  {
    what: 'ignores the transfer coding gzip',
    only: orders,
    check: 'http',
    alter: headOf((head) => head.replace('Transfer-Encoding: gzip, chunked', 'Transfer-Encoding: chunked')),
    found: [
      /^getOrder: The transfer coding gzip is not supported: expected 501/,
      /^updateOrder: The transfer coding gzip is not supported: expected 501/,
    ],
  },
  {
    what: 'drops control characters from headers',
    only: orders,
    check: 'http',
    alter: headOf((head) => head.replaceAll('\u0007', '')),
    found: [
      /^getOrder: An ignored header has a control character: expected 400/,
      /^updateOrder: An ignored header has a control character: expected 400/,
    ],
  },
  {
    what: 'resolves dot segments',
    only: orders,
    check: 'http',
    alter: headOf((head) => withTarget(head, (target) => resolved(target))),
    found: [
      /^listOrders: The path has the dot segment \.\.: expected 404, found 200/,
      /^getOrder: The path has the dot segment \.\.: expected 404, found 200/,
    ],
  },
  {
    what: 'resolves escaped dot segments',
    only: orders,
    check: 'http',
    alter: headOf((head) => withTarget(head, (target) => (target.includes('/../') ? target : resolved(target)))),
    found: [/^listOrders: The path has the dot segment %2e%2e: expected 404, found 200/],
  },
  {
    what: 'rejects malformed requests with an undeclared code',
    only: ['listOrders', 'getOrder'],
    check: 'http',
    alter: () => ({ head: (head) => head, document: withoutMalformedRequest(['getOrder']) }),
    found: [/^getOrder: The code is malformed_request, but status 400 declares/],
  },
]

const bodies: readonly Mutation[] = [
  {
    what: 'keeps the last of two members with one name',
    only: ['createProduct', 'createCustomer'],
    check: 'broken',
    alter: () => ({ body: reparsed }),
    found: [
      /^createProduct: The body repeats a member name: expected 400/,
      /^createCustomer: The body repeats a member name: expected 400/,
    ],
  },
  {
    what: 'removes control characters from texts',
    only: ['createCustomer', 'createProduct'],
    check: 'broken',
    alter: () => ({ body: (text) => text.replaceAll('\\u0007', 'x') }),
    found: [
      /^createCustomer: A control character in name: expected 400/,
      /^createCustomer: A control character in addresses\[0\]\.landmark: expected 400/,
      /^createProduct: A control character in description: expected 400/,
    ],
  },
]

/** Returns a server that ignores some forms of `If-None-Match`. */
function unmodified(what: string, isIgnored: (held: string) => boolean, found: readonly RegExp[]): Mutation {
  const ask: Alteration['ask'] = (asked) => {
    const held = asked.headers.get('if-none-match')
    if (held !== null && isIgnored(held)) asked.headers.delete('if-none-match')
    return asked
  }
  return { what, only: ['listOrders', 'getOrder'], check: 'versions', alter: () => ({ ask }), found }
}

const isList = (held: string) => held.includes(',')

const versions: readonly Mutation[] = [
  {
    ...unmodified('sends an ETag and declares no If-None-Match', () => true, [
      /^getOrder: If-None-Match is the current ETag as a strong tag: expected 304, found 200/,
    ]),
    alter: () => ({
      ask: (asked) => {
        asked.headers.delete('if-none-match')
        return asked
      },
      document: withoutIfNoneMatch('getOrder'),
    }),
  },
  unmodified('ignores strong tags in If-None-Match', (held) => /^"[^,]*$/.test(held), [
    /^getOrder: If-None-Match is the current ETag as a strong tag: expected 304, found 200/,
  ]),
  unmodified('ignores weak tags in If-None-Match', (held) => held.startsWith('W/') && !isList(held), [
    /^getOrder: If-None-Match is the current ETag as a weak tag: expected 304, found 200/,
  ]),
  unmodified('ignores lists in If-None-Match', isList, [
    /^getOrder: If-None-Match is a list that begins with the current ETag: expected 304, found 200/,
    /^getOrder: If-None-Match is a list that ends with the current ETag: expected 304, found 200/,
  ]),
  unmodified('ignores * in If-None-Match', (held) => held === '*', [
    /^getOrder: If-None-Match is \* and the record exists: expected 304, found 200/,
  ]),
  {
    what: 'rejects weak tags in If-Match with 400',
    only: ['listOrders', 'updateOrder'],
    check: 'versions',
    alter: () => ({
      answer: ({ headers }, real) =>
        headers.get('if-match')?.startsWith('W/') === true ? { ...real, status: 400 } : real,
    }),
    found: [
      /^updateOrder: The document allows the weak tag W\/"v\S+", but the service rejects it with 400/,
      /^updateOrder: If-Match is a version that no record has, W\/"v9+": expected 412 or 404 or 409, found 400/,
    ],
  },
  {
    what: 'ignores weak tags in If-Match',
    only: ['listOrders', 'updateOrder'],
    check: 'versions',
    alter: () => ({
      ask: (asked) => {
        if (asked.headers.get('if-match')?.startsWith('W/') === true) asked.headers.delete('if-match')
        return asked
      },
    }),
    found: [/^updateOrder: If-Match is the previous version, W\/"v\S+: expected 412, found 200/],
  },
]

const repeatedParameter = /(status=\w+)&(status=\w+)/

const filters: readonly Mutation[] = [
  {
    what: 'keeps the last of two parameters with one name',
    only: ['listOrders'],
    check: 'filters',
    alter: () => ({ ask: (asked) => ({ ...asked, path: asked.path.replace(repeatedParameter, '$2') }) }),
    found: [/^listOrders: status=\w+&status=\w+ and status=\w+,\w+ return different results/],
  },
  {
    what: 'rejects two parameters with one name',
    only: ['listOrders'],
    check: 'filters',
    alter: () => ({ answer: ({ path }, real) => (repeatedParameter.test(path) ? { ...real, status: 400 } : real) }),
    found: [/^listOrders: status=\w+&status=\w+ and status=\w+,\w+ return different results/],
  },
]

const passing: readonly Mutation[] = [
  {
    what: 'responds to a read after a dry run with an undeclared 400',
    only: orders,
    check: 'dry-run',
    alter: () => {
      let isAfterDryRun = false
      return {
        answer: ({ method, path, headers }, real) => {
          const isShown = isAfterDryRun && method === 'GET' && /\/orders\/ord_\w+$/.test(path)
          isAfterDryRun = headers.has('service-dry-run')
          return isShown ? { ...real, status: 400, text: '{"error":{"code":"invalid_json"}}' } : real
        },
      }
    },
    found: [/^getOrder: The code is invalid_json, but status 400 declares/],
  },
]

export const mutations: readonly Mutation[] = [...heads, ...bodies, ...versions, ...filters, ...passing]

function withoutRepeated(head: string): string {
  const [first = '', ...lines] = head.split('\r\n')
  const nameOf = (line: string) => line.slice(0, line.indexOf(':')).toLowerCase()
  const isFirst = (line: string, at: number) => lines.findIndex((each) => nameOf(each) === nameOf(line)) === at
  return [first, ...lines.filter(isFirst)].join('\r\n')
}

/** Counts how often a header occurs in a list in which names and values alternate. */
function timesIn(rawHeaders: readonly string[], name: string): number {
  return rawHeaders.filter((each, at) => at % 2 === 0 && each.toLowerCase() === name).length
}

function withTarget(head: string, change: (target: string) => string): string {
  return head.replace(/^([A-Z]+ )(\S+)/, (_, method: string, target: string) => method + change(target))
}

function resolved(target: string): string {
  const { pathname, search } = new URL(target, 'http://service')
  return pathname + search
}

/**
 * Returns a JSON text after it was parsed and written again: of several members with the same name, only the last one
 * remains. Any other text stays unchanged.
 */
function reparsed(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return text
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a test takes parts of the document out, wherever they are.
function operationIn(document: any, id: string): any {
  const operations = Object.values(document.paths).flatMap((item) => Object.values(Object(item)))
  return operations.find((each) => Object(each).operationId === id)
}

function freshDocument(): object {
  const contract = { endpoints: Object.values(endpoints), events: Object.values(events) }
  return JSON.parse(JSON.stringify(documentOf(contract)))
}

export function withoutMalformedRequest(ids: readonly string[]): object {
  const document = freshDocument()
  for (const id of ids) {
    const { responses } = operationIn(document, id)
    const { schema } = responses['400'].content['application/json']
    const others = (schema.anyOf ?? [schema]).filter(({ $ref }: { $ref: string }) => !$ref.includes('MalformedRequest'))
    if (others.length === 0) delete responses['400']
    else responses['400'].content['application/json'].schema = { anyOf: others }
  }
  return document
}

function withoutIfNoneMatch(id: string): object {
  const document = freshDocument()
  const operation = operationIn(document, id)
  delete operation.responses['304']
  operation.parameters = operation.parameters.filter(({ name }: { name: string }) => name !== 'If-None-Match')
  return document
}
