import type { OrderStatus } from '../../registry/orders/order-states.ts'
import type { OrderId, VariantId } from '../../registry/values/vocabulary.ts'
import type { SeedMovement } from '../store/seed/seed-stock.ts'
import type { DemoIds } from './demo-ids.ts'
import type { DemoItem } from './order-lines.ts'

type Step = Pick<SeedMovement, 'reason' | 'onHandDelta' | 'reservedDelta'>

const reserved: Step = { reason: 'order_reserved', onHandDelta: 0, reservedDelta: 1 }
const fulfilled: Step = { reason: 'order_fulfilled', onHandDelta: -1, reservedDelta: -1 }
const released: Step = { reason: 'order_released', onHandDelta: 0, reservedDelta: -1 }
const returned: Step = { reason: 'order_returned', onHandDelta: 1, reservedDelta: 0 }

/** Inventory movements of one unit of a demo order, for each status that the order can have. */
const steps: Readonly<Record<OrderStatus, readonly Step[]>> = {
  pending: [reserved],
  on_hold: [reserved],
  processing: [reserved],
  shipped: [reserved, fulfilled],
  delivered: [reserved, fulfilled],
  returned: [reserved, fulfilled, returned],
  cancelled: [reserved, released],
}

/** The sequence numbers of the movements follow those of all earlier orders. */
export function orderMovements(
  order: { id: OrderId; status: OrderStatus; items: readonly DemoItem[] },
  place: { atMs: number; position: number },
  ids: DemoIds,
): SeedMovement[] {
  let sequence = sequenceOf(place.position)
  return order.items.flatMap(({ variantId, quantity }) => {
    if (variantId === null) return []
    return steps[order.status].map((step) => ({
      id: ids.movement(place.atMs, sequence++),
      variantId,
      reason: step.reason,
      orderId: order.id,
      onHandDelta: quantity * step.onHandDelta,
      reservedDelta: quantity * step.reservedDelta,
    }))
  })
}

/**
 * Returns restocks that balance the movements of a batch of orders. Available quantities stay as they were, so no
 * variant runs out or becomes low. The restocks come before the first order of the batch.
 */
export function restockFor(
  movements: readonly SeedMovement[],
  place: { atMs: number; position: number },
  ids: DemoIds,
): SeedMovement[] {
  const removed = new Map<VariantId, number>()
  for (const { variantId, onHandDelta, reservedDelta } of movements) {
    removed.set(variantId, (removed.get(variantId) ?? 0) + reservedDelta - onHandDelta)
  }
  return [...removed]
    .filter(([, quantity]) => quantity > 0)
    .map(([variantId, quantity]) => ({
      // The restocks may share one sequence number: each is of a different variant, so their order does not matter.
      id: ids.movement(place.atMs, sequenceOf(place.position) - 1),
      variantId,
      reason: 'restock',
      orderId: null,
      onHandDelta: quantity,
      reservedDelta: 0,
    }))
}

/**
 * Number of sequence numbers for each demo order: three for the inventory movements of each of its at most four items,
 * and one for the restocks before these movements.
 */
const sequencesPerOrder = 13

/**
 * Number of sequence numbers that are reserved for the opening stock: more than one for each variant of the catalogue.
 */
const openingSequences = 1_000

function sequenceOf(position: number): number {
  return openingSequences + position * sequencesPerOrder + 1
}
