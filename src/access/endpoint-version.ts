import { hash } from 'node:crypto'
import type { EventKind } from '../../registry/kit/event.ts'

interface EditableEndpoint {
  readonly url: string
  readonly description: string
  readonly kinds: readonly EventKind[]
}

/**
 * Returns the version of the editable fields of a webhook endpoint. It is a hash and not a counter: the row of the
 * endpoint also changes with each delivery, and such a change must not make an open form stale.
 */
export function endpointVersion({ url, description, kinds }: EditableEndpoint): string {
  return hash('sha256', JSON.stringify([url, description, kinds.toSorted()]), 'base64url')
}
