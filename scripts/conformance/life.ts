import type { Operation } from './document.ts'

/** In the order of a record’s life: what one operation creates is what the next needs, and what ends it comes last. */
export function inOrder(operations: readonly Operation[]): Operation[] {
  return [...operations].sort((a, b) => rankOf(a) - rankOf(b))
}

/** Lists, creations, creations below a record, reads, changes, actions, ends. */
function rankOf(operation: Operation): number {
  const { method, template } = operation
  const isBelow = template.includes('{')
  if (method === 'GET') return isBelow ? 4 : 1
  if (isCreation(operation)) return isBelow ? 3 : 2
  if (method === 'DELETE') return 7
  return method === 'PATCH' ? 5 : 6
}

export function isCreation({ method, answers }: Operation): boolean {
  return method === 'POST' && Object.hasOwn(answers, '201')
}
