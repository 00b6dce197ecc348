import { webhookReplayDays } from '../../registry/values/limits.ts'
import { isNotificationKind, type NotificationKind } from '../../registry/values/notifications.ts'
import type { EndpointId, MerchantId } from '../../registry/values/vocabulary.ts'
import { type Facts, factsOf } from './facts.ts'
import { headReportOf } from './head-report.ts'
import { amountIn, lostTextOf, namedCreditsOf, openedTextOf, unclearTextOf, unmatchedIn } from './payment-texts.ts'
import { shipmentTextOf } from './shipment-texts.ts'

/** The texts of notifications for the dashboard, the command line and e-mails. */

export interface NotificationMessage {
  readonly title: string
  /** The cause of the notification and the next step, as plain text. */
  readonly text: string
  /** The page of the dashboard on which a member can resolve the problem. */
  readonly link: Link
  /** Links to the pages of further orders that the problem affects. */
  readonly others?: readonly Link[]
  /** The command with which an operator reads the information of the notification without the dashboard. */
  readonly command: string
}

interface Link {
  readonly path: string
  readonly label: string
}

export interface NotificationSource {
  readonly merchantId: MerchantId
  /** A notification kind of this release, or of a newer release during an upgrade. */
  readonly kind: string
  readonly endpointId: EndpointId | null
  readonly data: unknown
}

export function messageOf({ merchantId, kind, endpointId, data }: NotificationSource): NotificationMessage {
  if (!isNotificationKind(kind)) return unknownKind(kind, merchantId)
  return { title: titles[kind], ...messages[kind](factsOf(data), { merchantId, endpointId }) }
}

export function titleOf(kind: NotificationKind): string {
  return titles[kind]
}

interface Source {
  readonly merchantId: MerchantId
  readonly endpointId: EndpointId | null
}

const titles: Readonly<Record<NotificationKind, string>> = {
  'webhook_endpoint.disabled': 'Webhook endpoint disabled',
  'webhook_endpoint.failing': 'Webhook endpoint failing',
  'webhook_endpoint.held_expiring': 'Deliveries of a disabled webhook endpoint will expire',
  'webhook_endpoint.held_expired': 'Deliveries of a disabled webhook endpoint expired',
  'payment.not_recorded': 'Payment not recorded',
  'payment.overpaid': 'Payment above the amount due',
  'payment.of_cancelled_order': 'Payment for a cancelled order',
  'order.cancelled_unrefunded': 'Cancelled order that is not refunded',
  'order.refunded_unshipped': 'Refunded order that keeps units reserved',
  'order.paid_unshippable': 'Paid units that cannot be sent',
  'order.paid_above_price': 'Edited order that is paid above its total',
  'order.partly_paid': 'Order that is paid only in part',
  'payment.dispute_opened': 'Dispute to answer',
  'payment.dispute_lost': 'Dispute lost',
  'payment.dispute_unclear': 'Dispute with an unclear result',
  'payment.differences': 'Payments differ from the payment provider',
  'refund.failed': 'Refund failed',
  'refund.needs_bank_details': 'Refund that needs bank details',
  'refund.by_provider': 'Refund made at the payment provider',
  'refund.not_recorded': 'Refund not recorded',
  'refund.contradicted': 'Refund status contradicted by the payment provider',
  'refund.amount_differs': 'Refund with a different amount than requested',
  'refund.dispute_lost': 'Refund that must be ended at the payment provider',
  'return.unsettled': 'Received return that is not refunded',
  'return.arrived': 'Returned parcel to inspect',
  'shipment.exception': 'Shipment needs attention',
  'audit_log.heads': 'Latest hashes of the audit log',
}

/** The compiler reports a notification kind without a message. */
const messages: {
  readonly [Kind in NotificationKind]: (facts: Facts, source: Source) => Omit<NotificationMessage, 'title'>
} = {
  'webhook_endpoint.disabled': ({ number }, source) => ({
    text: `The endpoint failed ${number('consecutiveFailures') ?? 'several'} times in a row and gets no events. Repair the receiver, then enable the endpoint: its held deliveries are sent. Deliveries of later events were skipped. The dashboard also sends the skipped deliveries of the last ${webhookReplayDays} days unless you clear the box for them when you enable the endpoint; the command line sends them only with --replay-skipped.`,
    ...endpointOf(source),
  }),
  'webhook_endpoint.failing': ({ number }, source) => ({
    text: `The endpoint failed ${number('consecutiveFailures') ?? 'several'} times in a row. After six failures it is disabled. The attempts show the responses of the receiver.`,
    ...endpointOf(source),
  }),
  'webhook_endpoint.held_expiring': ({ number, time }, source) => ({
    text: `${number('held') ?? 'Some'} deliveries of a disabled endpoint expire on ${time('expiresAt') ?? 'a day within a week'}. Enable the endpoint before then to receive them.`,
    ...endpointOf(source),
  }),
  'webhook_endpoint.held_expired': ({ number, time }, source) => ({
    text: `${number('held') ?? 'Some'} deliveries of a disabled endpoint expired. The oldest event was of ${time('since') ?? 'last month'}. Use the API to read the changes that the receiver missed.`,
    ...endpointOf(source),
  }),
  'payment.not_recorded': (facts, source) => ({
    text: `${notRecorded[facts.text('reason') ?? ''] ?? 'The payment provider received a payment that could not be recorded.'} ${unmatchedIn(facts)}`,
    ...orderOf(facts, source),
  }),
  'payment.overpaid': (facts, source) => ({
    text: `${facts.number('dueKobo') === 0 ? 'A payment was received for an order without an amount due. The customer may have paid after the order was returned, or may have paid twice.' : 'More than the amount due of the order was received.'} Refund ${facts.money('excessKobo') ?? 'the excess'}, or mark the problem as resolved to keep the money.`,
    ...orderOf(facts, source),
  }),
  'payment.of_cancelled_order': (facts, source) => ({
    text: `A payment${amountIn(facts)} was received after the order was cancelled or had expired. The units are released, and the order cannot be reopened. Refund the payment, or create a new order and mark the problem as resolved.`,
    ...orderOf(facts, source),
  }),
  'order.cancelled_unrefunded': (facts, source) => ({
    text: `The order was cancelled, and its customer has paid for it${amountIn(facts)}. Cancelling does not refund. Refund the order, or mark the problem as resolved to keep the money.`,
    ...orderOf(facts, source),
  }),
  'order.refunded_unshipped': (facts, source) => ({
    text: `The payments of the order were all returned by refunds or a dispute, or its units were all refunded. Units${unitsIn(facts)} are not shipped any more, but stay reserved. Cancel the order to release them.`,
    ...orderOf(facts, source),
  }),
  'order.paid_unshippable': (facts, source) => ({
    text: `A refund of the order failed or was cancelled, and paid units${unitsIn(facts)} can no longer be sent, because they were restocked, written off, lost or returned. Refund these units again, or agree with the customer on another order and mark the problem as resolved.`,
    ...orderOf(facts, source),
  }),
  'order.paid_above_price': (facts, source) => ({
    text: `The order was edited, and its payments exceed the new total. Refund ${facts.money('excessKobo') ?? 'the excess'}, or mark the problem as resolved to keep the money.`,
    ...orderOf(facts, source),
  }),
  'order.partly_paid': (facts, source) => ({
    text: `The time to pay the order has passed, and ${facts.money('dueKobo') ?? 'a part of its total'} is still due. The units of the order stay reserved. Ask the customer for the rest, or cancel and refund the order.`,
    ...orderOf(facts, source),
  }),
  'payment.dispute_opened': (facts, source) => ({
    text: openedTextOf(facts),
    ...orderOf(facts, source),
    ...creditedOrdersOf(facts),
  }),
  'payment.dispute_lost': (facts, source) => ({
    text: lostTextOf(facts),
    ...orderOf(facts, source),
    ...creditedOrdersOf(facts),
  }),
  'payment.dispute_unclear': (facts, source) => ({
    text: unclearTextOf(facts),
    ...orderOf(facts, source),
    ...creditedOrdersOf(facts),
  }),
  'payment.differences': ({ number }, { merchantId }) => ({
    text: `The daily comparison with the payment provider found ${number('count') ?? 'some'} new differences. Compare the references at the provider with the orders.`,
    link: { path: '/orders', label: 'Open the orders' },
    command: `commerce payments reconcile --merchant ${merchantId}`,
  }),
  'refund.failed': (facts, source) => ({
    text: `The refund${amountIn(facts)} failed, so the customer does not get the money. The amount can be refunded again: create another refund, for example to a bank account.`,
    ...refundOf(facts, source),
  }),
  'refund.needs_bank_details': (facts, source) => ({
    text: `The payment provider cannot return the refund${amountIn(facts)} to the original payment method. Ask the customer for a bank account, and set the bank details of the refund.`,
    ...refundOf(facts, source),
  }),
  'refund.by_provider': (facts, source) => ({
    text: `A refund${amountIn(facts)} was made in the dashboard of the payment provider. The refund is recorded, and the refundable amount is reduced. The refund names no units: correct the stock if units came back, then mark the problem as resolved.`,
    ...refundOf(facts, source),
  }),
  'refund.not_recorded': (facts, source) => ({
    text: `The payment provider made a refund${amountIn(facts)} that exceeds the refundable amount of the order, because other refunds of the order are pending. Check these refunds before the customer gets the money twice. The daily comparison records the refund as soon as the refundable amount is high enough.`,
    ...orderOf(facts, source),
  }),
  'refund.contradicted': (facts, source) => ({
    text: 'The payment provider reports a result of the refund that differs from the stored result. Check at the provider whether the customer got the money before you refund again.',
    ...refundOf(facts, source),
  }),
  'refund.amount_differs': (facts, source) => ({
    text: `The payment provider refunds ${facts.money('providerAmountKobo') ?? 'another amount'} instead of ${facts.money('amountKobo') ?? 'the requested amount'}. Check the refund at the provider.`,
    ...refundOf(facts, source),
  }),
  'refund.dispute_lost': (facts, source) => ({
    text: `A lost dispute already returned the money of this refund${amountIn(facts)}. End the refund at the payment provider, so that it is not paid twice.`,
    ...refundOf(facts, source),
  }),
  'return.unsettled': (facts, source) => ({
    text: 'The units of a return arrived, and the return is neither refunded nor exchanged. Refund or exchange it, or close it if the customer gets no money back.',
    ...returnOf(facts, source),
  }),
  'return.arrived': (facts, source) => ({
    text: 'A carrier delivered the parcel of a return. Inspect the units, then receive the return: until then, they are neither restocked nor written off.',
    ...returnOf(facts, source),
  }),
  'shipment.exception': (facts, source) => ({ text: shipmentTextOf(facts), ...shipmentOf(facts, source) }),
  'audit_log.heads': (facts, { merchantId }) => ({
    text: headReportOf(facts, merchantId),
    link: { path: '/audit', label: 'Open the audit log, and verify it with a head under “Hash chain”' },
    command: `commerce audit verify --merchant ${merchantId}`,
  }),
}

/** Message texts by the cause of a `payment.not_recorded` notification. */
const notRecorded: Readonly<Record<string, string>> = {
  no_order: 'The payment provider received a payment that names no order.',
  unreadable: 'The payment provider received a payment whose data is unreadable.',
  order_unknown: 'The payment provider received a payment for an order that does not exist.',
  too_large: 'The payment provider received a payment that is too large for its order.',
  reference_in_use: 'Two payments have the same reference, and only the first is recorded.',
  currency: 'The payment provider received a payment in a currency other than naira.',
  not_confirmed:
    'A payment provider did not respond for three days. Callbacks that it did not confirm were ignored, or its payments could not be compared with the recorded payments.',
}

/** Returns links to the exchange orders that were paid with money of the disputed payment. */
function creditedOrdersOf(facts: Facts): Pick<NotificationMessage, 'others'> {
  const orderIds = namedCreditsOf(facts)
  return { others: orderIds.map((orderId) => ({ path: `/orders/${orderId}`, label: 'Open the exchange' })) }
}

function unitsIn(facts: Facts): string {
  const quantity = facts.number('quantity')
  return quantity === undefined ? '' : ` (${quantity})`
}

type Place = Pick<NotificationMessage, 'link' | 'command'>

function endpointOf({ merchantId, endpointId }: Source): Place {
  if (endpointId === null) return { ...listOf(merchantId), link: { path: '/webhooks', label: 'Open the endpoints' } }
  return {
    link: { path: `/webhooks/${endpointId}`, label: 'Open the endpoint' },
    command: `commerce webhook explain --merchant ${merchantId} --endpoint ${endpointId}`,
  }
}

function orderOf({ id }: Facts, { merchantId }: Source): Place {
  const orderId = id('ord', 'orderId')
  const link =
    orderId === undefined
      ? { path: '/orders', label: 'Open the orders' }
      : { path: `/orders/${orderId}`, label: 'Open the order' }
  return { link, command: `commerce payments reconcile --merchant ${merchantId}` }
}

function refundOf({ id }: Facts, { merchantId }: Source): Place {
  const refundId = id('rfd', 'refundId')
  const link =
    refundId === undefined
      ? { path: '/refunds', label: 'Open the refunds' }
      : { path: `/refunds/${refundId}`, label: 'Open the refund' }
  return { link, command: `commerce payments reconcile --merchant ${merchantId}` }
}

function returnOf({ id }: Facts, { merchantId }: Source): Place {
  const returnId = id('ret', 'returnId')
  if (returnId === undefined) return listOf(merchantId)
  return { ...listOf(merchantId), link: { path: `/returns/${returnId}`, label: 'Open the return' } }
}

function shipmentOf({ id }: Facts, { merchantId }: Source): Place {
  const shipmentId = id('shp', 'shipmentId')
  if (shipmentId === undefined) return listOf(merchantId)
  return {
    link: { path: `/shipments/${shipmentId}`, label: 'Open the shipment' },
    command: `commerce shipment show --merchant ${merchantId} --shipment ${shipmentId}`,
  }
}

function listOf(merchantId: MerchantId): Place {
  return {
    link: { path: '/notifications', label: 'Open the notifications' },
    command: `commerce notification list --merchant ${merchantId}`,
  }
}

/** A newer release of the service stored a notification of this kind. */
function unknownKind(kind: string, merchantId: MerchantId): NotificationMessage {
  const title = kind.replaceAll(/[._]/g, ' ')
  return { title, text: 'This release has no text for this kind of notification.', ...listOf(merchantId) }
}
