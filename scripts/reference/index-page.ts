import { errorCodes } from '../../registry/errors/index.ts'
import { events } from '../../registry/index.ts'
import { apiRoot } from '../../registry/kit/endpoint.ts'
import { eventKinds } from '../../registry/kit/event.ts'
import { operationPath, operations, tagDescription, tags } from './contract.ts'
import { lives } from './lives.ts'
import { code, fenced, firstSentence, link, table } from './markdown.ts'
import type { Page } from './page.ts'
import { demoUrl } from './samples/request.ts'

/** Where a newcomer begins. */
export function indexPage(guides: readonly Page[]): Page {
  return {
    path: 'index',
    title: 'Commerce Service',
    summary: 'A JSON API for orders, products, customers, discounts, refunds, parcels and signed webhooks.',
    kind: 'page',
    words: [
      'quick start',
      'base URL',
      'bearer token',
      'Authorization',
      'COMMERCE_TOKEN',
      'Service-Dry-Run',
      'rate limit',
      '429',
    ],
    parts: [
      'A JSON API for a shop’s orders, products, customers, discounts, refunds and parcels, with signed webhooks for what happens. Money is integer kobo; the currency is NGN.',
      `Every path begins with ${code(apiRoot)}. A token is sent as \`Authorization: Bearer …\` and carries ${link('scopes', 'scopes')}; one that begins with \`svc_test_\` sees the merchant’s test side, where ${link('carriers are made up', 'test-mode')}.`,
      '## Quick start',
      '`npm ci && npm start` starts the service with a demo merchant. The first start prints its tokens, one of them as a line to paste, `export COMMERCE_TOKEN=svc_test_…`; behind that line every request of this reference runs as it stands. What is in TypeScript is for Node 24: where yours is older, `export PATH="$PWD/node_modules/.bin:$PATH"`, in the folder of the service, lends you the one that npm brought.',
      'The three newest orders:',
      fenced(
        `curl -sS --fail-with-body '${demoUrl}${apiRoot}/orders?limit=3' -H "Authorization: Bearer $COMMERCE_TOKEN"`,
        'sh',
      ),
      'What an order would cost, without making it. A product that is for sale gives the `variantId`:',
      fenced(quickOrder, 'sh'),
      'Make it. It is `pending` until its money is recorded:',
      fenced(quickPurchase, 'sh'),
      `${link('Authentication', 'guides/authentication')} comes next, and the other guides after it.`,
      '## How it behaves',
      behaviour.map((line) => `- ${line}`).join('\n'),
      ...(guides.length === 0
        ? []
        : ['## Guides', guides.map(({ title, path, summary }) => `- ${link(title, path)}: ${summary}`).join('\n')]),
      '## Operations',
      ...tags.flatMap(operationsOf),
      '## Webhooks',
      `${link('Receiving webhooks', 'webhooks')} tells a receiver everything.`,
      table(
        ['Kind', 'When'],
        eventKinds.map((kind) => [link(code(kind), `webhooks/${kind}`), events[kind].meaning]),
      ),
      '## States',
      lives.map(({ title, path }) => `- ${link(title, path)}`).join('\n'),
      '## Errors',
      `${link(`All ${errorCodes.length} codes`, 'errors')}, each with its meaning and what to do.`,
    ],
  }
}

/** What the preview and the order itself send. */
const orderLines = [
  `  -H "Authorization: Bearer $COMMERCE_TOKEN" -H 'Content-Type: application/json' \\`,
  `  -d '{`,
  `    "customer": { "name": "Adaeze Okafor", "email": "adaeze.okafor@example.com" },`,
  `    "items": [{ "variantId": "'"$variant"'", "quantity": 1 }],`,
  `    "paymentMethod": "bank_transfer"`,
  `  }'`,
]

const quickOrder = [
  `variant=$(curl -sS --fail-with-body '${demoUrl}${apiRoot}/products?status=active&limit=1' -H "Authorization: Bearer $COMMERCE_TOKEN" |`,
  `  grep -o 'var_[0-9a-z]*' | head -n 1)`,
  `curl -sS --fail-with-body ${demoUrl}${apiRoot}/orders/preview \\`,
  ...orderLines,
].join('\n')

const quickPurchase = [`curl -sS --fail-with-body ${demoUrl}${apiRoot}/orders \\`, ...orderLines].join('\n')

const behaviour = [
  'Request bodies are strict: an unknown field is refused, and so is an unknown query parameter. Answers may gain fields and enums may gain values: pass over what you do not know.',
  'Lists are paged by cursor, newest first.',
  'A write with `Service-Dry-Run: true` answers what would happen and changes nothing.',
  'A record with a `version` carries it as `ETag`; send that as `If-Match` to change only the version you have seen.',
  'Each operation says what happens when it is sent again, so that a lost answer is no riddle.',
  'Every answer carries `Request-Id`, every error `Service-Should-Retry` and a `docUrl` to the page of its code.',
  'There is no rate limit. A service that is too busy answers 503 with `Retry-After`: wait that long, and send it again.',
  'Beta operations may still change. They are marked here and by the header `Beta: true`.',
]

function operationsOf(tag: string): string[] {
  const those = operations.filter((endpoint) => endpoint.tag === tag)
  return [
    `### ${tag}`,
    tagDescription(tag),
    table(
      ['Operation', 'Method and path', 'What it does'],
      those.map((endpoint) => [
        link(code(endpoint.id), operationPath(endpoint)),
        code(`${endpoint.method} ${apiRoot}${endpoint.path}`),
        `${firstSentence(endpoint.description)}${endpoint.stability === 'beta' ? ' **Beta.**' : ''}`,
      ]),
    ),
  ]
}
