import createClient, { type Client, type Middleware } from 'openapi-fetch'
import type { paths } from '../../generated/api.d.ts'
import { idempotentOperations } from '../../generated/idempotent-operations.ts'
import { withoutForeignAnswers } from './foreign-answer.ts'
import { type ListedItem, type ListParameters, type ListPath, walkList } from './list.ts'
import { repeatableUnder } from './repeatable.ts'
import { type Resources, resourcesOf } from './resources.ts'
import { type RetryOptions, retrying } from './retry.ts'
import { type Get, knowingUnchanged } from './unchanged.ts'

export interface CommerceOptions extends RetryOptions {
  /** The versioned root, such as `https://api.example.com/api/v1`. */
  readonly baseUrl: string
  /** An API token, `svc_live_…` or `svc_test_…`. */
  readonly token: string
  /** Makes the Idempotency-Key of a request that has none; a random UUID when left out. */
  readonly newKey?: () => string
}

/**
 * The client. Each operation is a method of its resource, such as `commerce.orders.create(body)`, which returns the record or
 * throws. `GET`, `POST`, `PATCH` and `DELETE` are those of openapi-fetch: they return `{ data, error, response }`, whose
 * `error.error.code` is one of the codes that the operation documents. Both `data` and `error` are missing after a 304.
 * A response that does not come from the API is thrown as NoAnswerError or ForeignAnswerError.
 */
export interface Commerce extends Resources, Pick<Client<paths>, 'POST' | 'PATCH' | 'DELETE' | 'use' | 'eject'> {
  readonly GET: Get
  /**
   * The records of a list, however many pages they take:
   * `for await (const order of commerce.list('/orders', { query: { status: ['pending'] } }))`.
   */
  list<Path extends ListPath>(
    path: Path,
    ...parameters: Record<string, never> extends ListParameters<Path> ? [ListParameters<Path>?] : [ListParameters<Path>]
  ): AsyncGenerator<ListedItem<Path>, void, undefined>
}

export function createCommerce({ baseUrl, token, newKey = randomKey, ...retries }: CommerceOptions): Commerce {
  const client = createClient<paths>({
    baseUrl,
    headers: { Authorization: `Bearer ${token}` },
    // As the document says of every list in a query: its entries are separated by commas.
    querySerializer: { array: { style: 'form', explode: false } },
    fetch: retrying(repeatableUnder(baseUrl), retries),
  })
  client.use(withKey(newKey), withoutForeignAnswers)
  const list: Commerce['list'] = (path, ...[parameters]) => walkList(client, path, parameters ?? {})
  return { ...client, ...resourcesOf(client), GET: knowingUnchanged(client.GET), list }
}

/** Which operations honour a key is read from the document, so a newly idempotent one is protected by an update. */
function withKey(newKey: () => string): Middleware {
  const honoured: readonly string[] = idempotentOperations
  return {
    onRequest({ request, schemaPath }) {
      if (!honoured.includes(`${request.method} ${schemaPath}`) || request.headers.has('Idempotency-Key')) return
      request.headers.set('Idempotency-Key', newKey())
    },
  }
}

function randomKey(): string {
  return crypto.randomUUID()
}
