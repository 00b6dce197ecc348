import { type Action, at, type Charge, type Order, type Refund, type Shop } from './model-records.ts'

/**
 * The refunds of the model. A charge is refunded through the payment provider. A manual payment is refunded at once.
 */

export function leftKobo({ paidKobo, refundedKobo, pendingKobo }: Order): number {
  return paidKobo - refundedKobo - pendingKobo
}

function leftOfCharge({ amountKobo, refunds }: Charge): number {
  return refunds.reduce((left, refund) => left - refund.amountKobo, amountKobo)
}

/** Returns the amount of an order's manual payments that is not refunded. */
export function manualLeftKobo(order: Order): number {
  return order.charges.reduce((left, charge) => left - leftOfCharge(charge), leftKobo(order))
}

/**
 * Refunds the newest charge whose unrefunded amount is sufficient. The provider pays this refund later. If no charge is
 * sufficient, the manual payments are refunded at once.
 */
export function refund(order: Order, amountKobo: number): Order | undefined {
  const place = order.charges.findLastIndex((charge) => leftOfCharge(charge) >= amountKobo)
  if (place >= 0) {
    const pending = { amountKobo, status: 'pending', isForeign: false } as const
    return { ...withRefund(order, place, pending), pendingKobo: order.pendingKobo + amountKobo }
  }
  return manualLeftKobo(order) >= amountKobo ? { ...order, refundedKobo: order.refundedKobo + amountKobo } : undefined
}

/**
 * Models a refund at the provider. The service reports a refund above the unrefunded amount, but does not record it.
 */
export function refundAtProvider(
  order: Order,
  { charge: place, amountKobo }: Extract<Action, { is: 'provider_refund' }>,
): Order {
  const charge = at(order.charges, place)
  if (Math.min(leftOfCharge(charge), leftKobo(order)) < amountKobo) return order
  const refund = { amountKobo, status: 'succeeded', isForeign: true } as const
  return { ...withRefund(order, place, refund), refundedKobo: order.refundedKobo + amountKobo }
}

function withRefund(order: Order, place: number, refund: Refund): Order {
  return withRefunds(order, place, [...at(order.charges, place).refunds, refund])
}

function withRefunds(order: Order, place: number, refunds: readonly Refund[]): Order {
  return { ...order, charges: order.charges.with(place, { ...at(order.charges, place), refunds: sorted(refunds) }) }
}

/**
 * Sorts refunds, so that two lists of the same refunds are equal even if the refunds were created in different
 * sequences.
 */
export function sorted(refunds: readonly Refund[]): readonly Refund[] {
  return refunds.toSorted((one, other) => keyOf(one).localeCompare(keyOf(other)))
}

/** Returns a text that is the same for refunds with the same properties in the model. */
export function keyOf({ amountKobo, status, isForeign }: Refund): string {
  return JSON.stringify([amountKobo, status, isForeign])
}

export function submitRefunds(shop: Shop): Shop {
  const submitted = (refund: Refund): Refund =>
    refund.status === 'pending' ? { ...refund, status: 'submitted' } : refund
  const orders = Object.entries(shop.orders).map(([slot, order]) => [
    slot,
    order.charges.reduce((after, { refunds }, place) => withRefunds(after, place, refunds.map(submitted)), order),
  ])
  return { ...shop, orders: Object.fromEntries(orders) }
}

/**
 * Models a reported status. A succeeded refund can still fail, but no report changes a failed refund: a late report is
 * ignored.
 */
export function reportStatus(
  order: Order,
  { charge: place, refund, to }: Extract<Action, { is: 'refund_status' }>,
): Order {
  const { refunds } = at(order.charges, place)
  const index = refunds.findIndex((each) => keyOf(each) === keyOf(refund))
  const { amountKobo, status } = at(refunds, index)
  const wasPaid = status === 'succeeded'
  const moved = (next: Refund | undefined): Order =>
    withRefunds(order, place, next === undefined ? refunds.toSpliced(index, 1) : refunds.with(index, next))
  if (to === 'failed') {
    return wasPaid
      ? { ...moved(undefined), refundedKobo: order.refundedKobo - amountKobo }
      : { ...moved(undefined), pendingKobo: order.pendingKobo - amountKobo }
  }
  if (wasPaid || to === 'processing') return order
  if (to === 'needs-attention') return moved({ ...refund, status: 'needs_attention' })
  return {
    ...moved({ ...refund, status: 'succeeded' }),
    pendingKobo: order.pendingKobo - amountKobo,
    refundedKobo: order.refundedKobo + amountKobo,
  }
}
