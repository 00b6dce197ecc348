import { endpoints } from '../../registry/index.ts'
import type { Endpoint } from '../../registry/kit/endpoint.ts'

/** Returns the module that lists the operations with idempotency keys, for clients that generate a key automatically. */
export function idempotentOperations(): string {
  const honouring = Object.values<Endpoint>(endpoints).filter(({ idempotency }) => idempotency === 'honoured')
  const lines = honouring.map(({ method, path }) => `  '${method} ${path}',`)
  return [
    '// DO NOT EDIT. Written by `npm run generate` from the registry.',
    '',
    'export const idempotentOperations = [',
    ...lines,
    '] as const',
    '',
  ].join('\n')
}
