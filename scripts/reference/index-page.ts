import { errorCodes } from '../../registry/errors/index.ts'
import { events } from '../../registry/index.ts'
import { apiRoot } from '../../registry/kit/endpoint.ts'
import { eventKinds } from '../../registry/kit/event.ts'
import { operationPath, operations, tagDescription, tags } from './contract.ts'
import { lifecycles } from './lifecycles.ts'
import { code, fenced, firstSentence, link, table } from './markdown.ts'
import type { Page } from './page.ts'
import { demoUrl } from './samples/request.ts'

export function indexPage(guides: readonly Page[]): Page {
  return {
    path: 'index',
    title: 'Commerce Service',
    summary: 'A JSON API for orders, payments, products, customers, discounts, refunds, shipments and signed webhooks.',
    kind: 'page',
    words: ['base URL', 'bearer token', 'Authorization', 'COMMERCE_TOKEN', 'Service-Dry-Run', 'rate limit', '429'],
    parts: [
      'A JSON API for the orders, payments, products, customers, discounts, refunds and shipments of a shop, with signed webhooks. Amounts are integer kobo; the currency is NGN.',
      `Paths start with ${code(apiRoot)}. Requests send a token as \`Authorization: Bearer …\`, and each token has ${link('scopes', 'scopes')}. A token that starts with \`svc_test_\` uses the merchant’s ${link('test mode', 'guides/test-mode')}.`,
      '## Quick start',
      `\`npm ci && npm start\` starts the service with a demo merchant and prints its tokens. Paste the line \`export COMMERCE_TOKEN=svc_test_…\` into your shell; every example of this reference then runs as shown. List the newest orders:`,
      fenced(
        `curl -sS --fail-with-body '${demoUrl}${apiRoot}/orders?limit=3' -H "Authorization: Bearer $COMMERCE_TOKEN"`,
        'sh',
      ),
      `The guide ${link('Quick start', 'guides/quick-start')} continues with a price preview and an order.`,
      '## Conventions',
      conventions.map((line) => `- ${line}`).join('\n'),
      '## Guides',
      guides.map(({ title, path, summary }) => `- ${link(title, path)}: ${summary}`).join('\n'),
      '## Operations',
      ...tags.flatMap(operationsOf),
      '## Webhook events',
      `The guide ${link('Webhooks', 'guides/webhooks')} covers endpoints, retries and missed events.`,
      table(
        ['Event', 'Sent when'],
        eventKinds.map((kind) => [link(code(kind), `webhooks/${kind}`), events[kind].meaning]),
      ),
      '## Status lifecycles',
      lifecycles.map(({ title, path }) => `- ${link(title, path)}`).join('\n'),
      '## Error codes',
      `${link(`All ${errorCodes.length} error codes`, 'errors')}, each with its meaning and its solution.`,
    ],
  }
}

const conventions = [
  'Requests are strict: unknown fields and unknown query parameters are rejected. Responses may gain fields, and enums may gain values: ignore the unknown ones.',
  `Lists use cursor ${link('pagination', 'guides/pagination')}, newest first.`,
  'A write with `Service-Dry-Run: true` runs the whole operation, then rolls back.',
  `A record with a \`version\` has an \`ETag\`. Send the ETag as \`If-Match\` for ${link('concurrency control', 'guides/concurrency-control')}.`,
  `The page of each operation describes its ${link('idempotency', 'guides/idempotency')}.`,
  `Every response has a \`Request-Id\`. Every ${link('error', 'guides/errors')} has a \`docUrl\` to the page of its code, and \`Service-Should-Retry\`: retry the same request only when it is \`true\`, after the seconds in \`Retry-After\`.`,
  `Requests are ${link('rate limited', 'guides/rate-limits')} per token and merchant.`,
  'Beta operations may change. The reference marks them, and their responses have the header `Beta: true`.',
]

function operationsOf(tag: string): string[] {
  const tagged = operations.filter((endpoint) => endpoint.tag === tag)
  return [
    `### ${tag}`,
    tagDescription(tag),
    table(
      ['Operation', 'Method and path', 'Description'],
      tagged.map((endpoint) => [
        link(code(endpoint.id), operationPath(endpoint)),
        code(`${endpoint.method} ${apiRoot}${endpoint.path}`),
        `${firstSentence(endpoint.description)}${endpoint.stability === 'beta' ? ' **Beta.**' : ''}`,
      ]),
    ),
  ]
}
