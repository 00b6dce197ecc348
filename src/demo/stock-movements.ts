import type { OrderStatus } from '../../registry/orders/order-states.ts'
import type { OrderId, VariantId } from '../../registry/values/vocabulary.ts'
import type { SeedItem } from '../store/seed/seed.ts'
import type { SeedMovement } from '../store/seed/seed-stock.ts'
import type { DemoIds } from './demo-ids.ts'

type Step = Pick<SeedMovement, 'reason' | 'on_hand_delta' | 'reserved_delta'>

const reserved: Step = { reason: 'order_reserved', on_hand_delta: 0, reserved_delta: 1 }
const fulfilled: Step = { reason: 'order_fulfilled', on_hand_delta: -1, reserved_delta: -1 }
const released: Step = { reason: 'order_released', on_hand_delta: 0, reserved_delta: -1 }
const returned: Step = { reason: 'order_returned', on_hand_delta: 1, reserved_delta: 0 }

/** What one piece went through by the time its order got there (design, commerce 1.2). */
const steps: Readonly<Record<OrderStatus, readonly Step[]>> = {
  pending: [reserved],
  on_hold: [reserved],
  processing: [reserved],
  shipped: [reserved, fulfilled],
  delivered: [reserved, fulfilled],
  returned: [reserved, fulfilled, returned],
  cancelled: [reserved, released],
}

/** The sequence is the place in the ledger: behind the movements of every order before this one. */
export function orderMovements(
  order: { id: OrderId; status: OrderStatus; items: readonly SeedItem[] },
  place: { atMs: number; position: number },
  ids: DemoIds,
): SeedMovement[] {
  let sequence = sequenceOf(place.position)
  return order.items.flatMap(({ variant_id, quantity }) => {
    if (variant_id === null) return []
    return steps[order.status].map((step) => ({
      id: ids.movement(place.atMs, sequence++),
      variant_id,
      reason: step.reason,
      order_id: order.id,
      on_hand_delta: quantity * step.on_hand_delta,
      reserved_delta: quantity * step.reserved_delta,
    }))
  })
}

/**
 * The shop makes as many new pieces as a batch of orders takes: what can be sold stays as it was, so no
 * variant runs out or becomes low. It comes before the batch's first order.
 */
export function restockFor(
  movements: readonly SeedMovement[],
  place: { atMs: number; position: number },
  ids: DemoIds,
): SeedMovement[] {
  const taken = new Map<VariantId, number>()
  for (const { variant_id, on_hand_delta, reserved_delta } of movements) {
    taken.set(variant_id, (taken.get(variant_id) ?? 0) + reserved_delta - on_hand_delta)
  }
  return [...taken]
    .filter(([, quantity]) => quantity > 0)
    .map(([variantId, quantity]) => ({
      // Restocks are of different variants, so they may share one place.
      id: ids.movement(place.atMs, sequenceOf(place.position) - 1),
      variant_id: variantId,
      reason: 'restock',
      order_id: null,
      on_hand_delta: quantity,
      reserved_delta: 0,
    }))
}

/** Four lines with three movements each, and one place for a restock before them. */
const placesOfAnOrder = 13

/** The first places in the ledger are for the opening stock: one for each variant of the catalogue, and many to spare. */
const placesOfOpening = 1_000

function sequenceOf(position: number): number {
  return placesOfOpening + position * placesOfAnOrder + 1
}
