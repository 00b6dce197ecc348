import { hash } from 'node:crypto'
import type { EventKind } from '../../registry/kit/event.ts'

interface EditableEndpoint {
  readonly url: string
  readonly description: string
  readonly kinds: readonly EventKind[]
}

/**
 * Returns the version of the fields of an endpoint that can be edited. The version is a hash and no counter: the row
 * also changes with each delivery, and such a change must not make an open form stale.
 */
export function endpointVersion({ url, description, kinds }: EditableEndpoint): string {
  return hash('sha256', JSON.stringify([url, description, kinds.toSorted()]), 'base64url')
}
