import { randomUUID } from 'node:crypto'
import type { Load } from './turns.ts'

/** Refunds, each of the next order and with a key of its own. */
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
