import { events } from '../../registry/index.ts'
import type { EventKind } from '../../registry/kit/event.ts'
import { signatureParameters } from '../../registry/kit/headers.ts'
import { at } from '../../registry/openapi/guard-parts.ts'
import { webhookAcknowledgementSeconds } from '../../registry/values/limits.ts'
import { dataSchema, operationPath, operations } from './contract.ts'
import { fieldsOf, responseTable } from './fields.ts'
import { code, fenced, json, link, table } from './markdown.ts'
import type { Page } from './page.ts'

export function eventPage(kind: EventKind): Page {
  const { name, meaning, envelopeExample, ...event } = events[kind]
  const isBeta = 'stability' in event
  const fields = fieldsOf(dataSchema(name))
  const causes = operations.filter((endpoint) => endpoint.emits?.includes(kind))
  return {
    path: `webhooks/${kind}`,
    title: kind,
    summary: meaning.split('. ')[0]?.replace(/\.?$/, '.') ?? meaning,
    kind: 'event',
    ...(isBeta ? { badges: ['beta'] } : {}),
    words: [meaning, ...fields.map(({ path }) => path.replaceAll('[]', ''))],
    parts: [
      `${isBeta ? '**Beta** · ' : ''}webhook event · scope ${link('`events:read`', 'scopes')} to list it`,
      meaning,
      `Respond with any 2xx within ${webhookAcknowledgementSeconds} seconds and process each \`id\` once. The guide ${link('Webhooks', 'guides/webhooks')} describes retries and missed events, and ${link('Webhook signatures', 'webhook-signatures')} describes the verification.`,
      '## Sample',
      fenced(['POST /your/endpoint', 'Content-Type: application/json', ...headerLines()].join('\n'), 'http', 'Headers'),
      json(envelopeExample, 'Body'),
      '## Fields of `data`',
      'The envelope (`id`, `event`, `createdAt` and `mode`) is the same for every event. Ignore unknown fields: later releases may add some.',
      responseTable(fields),
      '## Headers',
      table(
        ['Header', 'Meaning'],
        signatureParameters.map((schema) => [code(headerName(schema.meta())), schema.meta()?.description ?? '']),
      ),
      ...(causes.length === 0
        ? []
        : [
            '## Emitted by',
            causes.map((each) => `- ${link(code(each.id), operationPath(each))}: ${each.summary}`).join('\n'),
          ]),
    ],
  }
}

function headerLines(): string[] {
  return signatureParameters.map(
    (schema) => `${headerName(schema.meta())}: ${String(at(schema.meta(), 'examples', '0'))}`,
  )
}

function headerName(meta: unknown): string {
  return String(at(meta, 'param', 'name'))
}
