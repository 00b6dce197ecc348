import { expect, test } from 'vitest'
import { orderBadge } from '../../../src/dashboard/orders/tone.ts'

/** The statuses of an order's shipments, oldest first, and the status that the badge of the shipped order shows. */
const badges: readonly [statuses: readonly string[], shown: string][] = [
  [[], 'shipped'],
  [['returned'], 'returned'],
  [['returned', 'in_transit'], 'shipped'],
  [['lost', 'delivered'], 'shipped'],
  [['delivered', 'lost'], 'lost'],
  [['in_transit', 'returned', 'cancelled'], 'returned'],
  [['lost', 'returned'], 'returned'],
  [['delivery_failed', 'in_transit'], 'delivery failed'],
  [['returning', 'delivery_failed', 'returned'], 'delivery failed'],
]

test.for(badges)('the badge of a shipped order whose shipments have the statuses %j is “%s”', ([statuses, shown]) => {
  const shipments = statuses.map((status) => ({ status }))
  expect(String(orderBadge('shipped', shipments))).toContain(`>${shown}</span>`)
})
