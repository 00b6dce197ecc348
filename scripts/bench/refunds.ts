import { randomUUID } from 'node:crypto'
import type { Load } from './compare.ts'

/** Returns a load of refunds. Each request refunds the next order and has a new idempotency key. */
export function refunding(url: string, token: string, nextOrder: () => string): Load['service'] {
  const setupRequest = (request: object) => ({
    ...request,
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': randomUUID(),
    },
    body: JSON.stringify({ orderId: nextOrder(), amountKobo: 100, reason: 'damaged' }),
  })
  return () => ({ url, method: 'POST', requests: [{ setupRequest }] })
}
