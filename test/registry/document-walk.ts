import { type OpenApiDocument, openApiDocument } from '../../registry/openapi/openapi.ts'

export const document: OpenApiDocument = JSON.parse(JSON.stringify(openApiDocument()))

export interface Place {
  readonly pointer: readonly string[]
  readonly node: object
}

/** Returns every object of the OpenAPI document with its path, except those inside examples. */
export function* places(node: unknown = document, pointer: readonly string[] = []): Generator<Place> {
  if (typeof node !== 'object' || node === null) return
  yield { pointer, node }
  for (const [key, child] of Object.entries(node)) {
    if (!holdsValues.has(key)) yield* places(child, [...pointer, key])
  }
}

const holdsValues: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum'])

/** Returns the operations of `paths`, or the webhook events of `webhooks`, from the OpenAPI document. */
export function operationsOf(items: object | undefined): Operation[] {
  return Object.entries(items ?? {}).flatMap(([path, item]) =>
    Object.entries(Object(item)).map(([method, operation]) => ({ path, method, operation: Object(operation) })),
  )
}

export interface Operation {
  readonly path: string
  readonly method: string
  readonly operation: object
}
