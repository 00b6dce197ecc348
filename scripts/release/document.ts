import { readFile } from 'node:fs/promises'
import { z } from 'zod'

/** The parts of an OpenAPI document that the compatibility check reads. All other members are preserved. */

const operation = z.looseObject({
  operationId: z.string(),
  tags: z.array(z.string()).optional(),
  parameters: z
    .array(z.looseObject({ name: z.string(), in: z.string(), required: z.boolean().optional(), schema: z.unknown() }))
    .optional(),
  requestBody: z.unknown().optional(),
  'x-emits': z.array(z.string()).optional(),
  'x-state-machine': z
    .looseObject({ field: z.string(), transitions: z.record(z.string(), z.array(z.string())) })
    .optional(),
  'x-stability': z.enum(['stable', 'beta']),
  'x-required-scope': z.string().optional(),
  'x-idempotency': z.string().optional(),
  deprecated: z.boolean().optional(),
  'x-deprecation': z.object({ since: z.string(), sunset: z.string().optional() }).optional(),
  responses: z.record(
    z.string(),
    z.looseObject({
      headers: z.record(z.string(), z.looseObject({ required: z.boolean().optional() })).optional(),
    }),
  ),
})

const methods = z.record(z.string(), operation)

const shape = z.looseObject({
  info: z.looseObject({ version: z.string() }),
  paths: z.record(z.string(), methods),
  webhooks: z.record(z.string(), methods),
  components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }),
})

export type Document = z.infer<typeof shape>
export type DocumentOperation = z.infer<typeof operation>

export function parseDocument(text: string): Document {
  return shape.parse(JSON.parse(text))
}

export async function readDocument(path: string): Promise<Document> {
  return parseDocument(await readFile(path, 'utf8'))
}

/** An operation or a webhook event, with its name and a readable description of where it is, such as `GET /orders`. */
export interface Described {
  readonly name: string
  readonly place: string
  /** Whether this is a webhook event and not an operation. */
  readonly isPushed: boolean
  readonly operation: DocumentOperation
}

export function describedIn({ paths, webhooks }: Document): Described[] {
  const called = Object.entries(paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod).map(([method, each]) => ({
      name: each.operationId,
      place: `${method.toUpperCase()} ${path}`,
      isPushed: false,
      operation: each,
    })),
  )
  const pushed = Object.entries(webhooks).flatMap(([kind, byMethod]) =>
    Object.values(byMethod).map((each) => ({
      name: kind,
      place: `The event ${kind}`,
      isPushed: true,
      operation: each,
    })),
  )
  return [...called, ...pushed]
}

/** Returns the error codes that an operation declares, each with its statuses. */
export function codesOf({ components }: Document, { responses }: DocumentOperation): Map<string, string[]> {
  const pairs = Object.entries(responses).flatMap(([status, response]) => {
    const names = [...JSON.stringify(response).matchAll(/"#\/components\/schemas\/(\w+Error)"/g)].map(
      ([, name]) => name,
    )
    const codes = names.flatMap((name = '') => errorBody.safeParse(components.schemas[name]).data ?? [])
    return codes.map((code) => ({ code, status }))
  })
  const byCode = Map.groupBy(pairs, ({ code }) => code)
  return new Map(
    [...byCode].sort().map(([code, each]) => [code, [...new Set(each.map(({ status }) => status))].sort()]),
  )
}

const errorBody = z
  .object({
    properties: z.object({
      error: z.object({ properties: z.object({ code: z.object({ enum: z.array(z.string()) }) }) }),
    }),
  })
  .transform(({ properties }) => properties.error.properties.code.enum)
