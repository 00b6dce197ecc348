import { events } from '../../registry/index.ts'
import type { EventKind } from '../../registry/kit/event.ts'
import { signatureParameters } from '../../registry/kit/headers.ts'
import { at } from '../../registry/openapi/guard-parts.ts'
import { webhookAcknowledgementSeconds } from '../../registry/values/limits.ts'
import { dataSchema, operationPath, operations } from './contract.ts'
import { fieldsOf, responseTable } from './fields.ts'
import { code, fenced, json, link, table } from './markdown.ts'
import type { Page } from './page.ts'

/** What is pushed when one kind of thing happens. */
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
      `${isBeta ? '**Beta** · ' : ''}webhook · scope ${link('`events:read`', 'scopes')} to list it`,
      meaning,
      `${link('Receiving webhooks', 'webhooks')} says how to verify a delivery, what happens when one fails, and how to find what you missed. Answer with any 2xx within ${webhookAcknowledgementSeconds} seconds and handle each \`id\` once.`,
      '## Sample',
      fenced(['POST /your/endpoint', 'Content-Type: application/json', ...headerLines()].join('\n'), 'http', 'Headers'),
      json(envelopeExample, 'Body'),
      '## Fields of `data`',
      'The envelope around it, `id`, `event`, `createdAt` and `mode`, is the same for every kind. Fields may be added: pass over what you do not know.',
      responseTable(fields),
      '## Headers',
      table(
        ['Header', 'Meaning'],
        signatureParameters.map((schema) => [code(headerName(schema.meta())), schema.meta()?.description ?? '']),
      ),
      ...(causes.length === 0
        ? []
        : [
            '## Operations that send it',
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

function headerName(said: unknown): string {
  return String(at(said, 'param', 'name'))
}
