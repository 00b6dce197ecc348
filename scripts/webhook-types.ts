import openapiTypescript, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { events } from '../registry/index.ts'

export async function webhookTypes(document: OpenAPI3): Promise<string> {
  const all: Readonly<Record<string, object>> = document.components?.schemas ?? {}
  const schemas = Object.fromEntries([...reached(all, root)].sort().map((name) => [name, all[name] ?? {}]))
  const { openapi, info } = document
  // The type generator gets a copy of the OpenAPI document, because it modifies its input.
  const input: OpenAPI3 = JSON.parse(JSON.stringify({ openapi, info, paths: {}, components: { schemas } }))
  const nodes = await openapiTypescript(input, { rootTypes: true, rootTypesNoSchemaPrefix: true })
  const envelopes = Object.values(events).map(({ kind, name }) => `    "${kind}": ${name};`)
  return [
    '// DO NOT EDIT. Written by `npm run generate` from openapi.json.',
    '',
    astToString(nodes).trimEnd(),
    '/** The envelope of each event type. */',
    'export interface WebhookEventByKind {',
    ...envelopes,
    '}',
    'export type WebhookEventKind = keyof WebhookEventByKind;',
    '',
  ].join('\n')
}

const root = 'WebhookEvent'

function reached(all: Readonly<Record<string, object>>, name: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(name)) return found
  found.add(name)
  const references = JSON.stringify(all[name] ?? {}).matchAll(/"#\/components\/schemas\/(\w+)"/g)
  for (const [, reference = ''] of references) reached(all, reference, found)
  return found
}
