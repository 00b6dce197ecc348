import type { Operation } from './document.ts'

/**
 * Sorts operations by the lifecycle of a record: operations that create a record run before those that use it, and
 * those that delete it run last.
 */
export function inLifecycleOrder(operations: readonly Operation[]): Operation[] {
  return [...operations].sort((a, b) => rankOf(a) - rankOf(b))
}

/**
 * Returns the rank of an operation in the order of the lifecycle: lists, creations, nested creations, reads, updates,
 * actions, deletions.
 */
function rankOf(operation: Operation): number {
  const { method, template } = operation
  const isBelow = template.includes('{')
  if (method === 'GET') return isBelow ? 4 : 1
  if (isCreation(operation)) return isBelow ? 3 : 2
  if (method === 'DELETE') return 7
  return method === 'PATCH' ? 5 : 6
}

export function isCreation({ method, responses }: Operation): boolean {
  return method === 'POST' && Object.hasOwn(responses, '201')
}
