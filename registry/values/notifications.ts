import type { Role } from './roles.ts'

/** Kind of a notification. The dashboard shows `meaning` to members. */
interface KindDeclaration {
  readonly meaning: string
  /** Whether the notification needs manual action. Members get these notifications by e-mail unless they opt out. */
  readonly needsAction: boolean
  /**
   * Whether the notification reports a problem that is open until a member marks it as resolved. The start page of the
   * dashboard shows open problems. The service itself resolves a problem when it detects that the problem has ended,
   * such as by the refund of an overpayment.
   */
  readonly reportsProblem?: true
  /**
   * Whether the notification is only sent by e-mail and not listed in the dashboard. Owners get this e-mail unless they
   * opt out. The notification reports no problem: it contains data that the owners should store outside the service.
   */
  readonly isOnlyEmailed?: true
}

export const notificationKinds = {
  'webhook_endpoint.disabled': {
    meaning: 'A webhook endpoint was disabled after six consecutive failures.',
    needsAction: true,
  },
  'webhook_endpoint.failing': {
    meaning: 'Deliveries to a webhook endpoint are failing.',
    needsAction: false,
  },
  'webhook_endpoint.held_expiring': {
    meaning: 'Deliveries of a disabled webhook endpoint will expire within a week.',
    needsAction: true,
  },
  'webhook_endpoint.held_expired': {
    meaning: 'Deliveries of a disabled webhook endpoint expired.',
    needsAction: false,
  },
  'payment.not_recorded': {
    meaning: 'The payment provider received a payment that matches no order.',
    needsAction: true,
    reportsProblem: true,
  },
  'payment.overpaid': {
    meaning: 'The payment provider received more for an order than was due, such as a second payment.',
    needsAction: true,
    reportsProblem: true,
  },
  'payment.of_cancelled_order': {
    meaning: 'A payment was received for an order that was cancelled or had expired.',
    needsAction: true,
    reportsProblem: true,
  },
  'order.cancelled_unrefunded': {
    meaning: 'An order was cancelled, and its payments are not refunded.',
    needsAction: true,
    reportsProblem: true,
  },
  'order.refunded_unshipped': {
    meaning: 'The payments or the units of an order were all refunded, but its units are still reserved.',
    needsAction: true,
    reportsProblem: true,
  },
  'order.paid_unshippable': {
    meaning: 'A refund failed or was cancelled, and the order has paid units that can no longer be sent.',
    needsAction: true,
    reportsProblem: true,
  },
  'order.paid_above_price': {
    meaning: 'An order was edited, and its payments now exceed its total.',
    needsAction: true,
    reportsProblem: true,
  },
  'order.partly_paid': {
    meaning: 'The time to pay an order has passed, and only a part of its total was paid.',
    needsAction: true,
    reportsProblem: true,
  },
  'payment.dispute_opened': {
    meaning: 'A payer disputed a payment, and the shop must answer the dispute at the payment provider.',
    needsAction: true,
    reportsProblem: true,
  },
  'payment.dispute_lost': {
    meaning: 'A dispute was lost, and the payer got the money back.',
    needsAction: true,
    reportsProblem: true,
  },
  'payment.dispute_unclear': {
    meaning: 'A dispute ended, and the payment provider did not report who won.',
    needsAction: true,
    reportsProblem: true,
  },
  'payment.differences': {
    meaning: 'Payments or refunds at the payment provider differ from the stored ones.',
    needsAction: true,
    reportsProblem: true,
  },
  'refund.failed': {
    meaning: 'A refund failed, so its customer does not get the money.',
    needsAction: true,
  },
  'refund.needs_bank_details': {
    meaning: 'The payment provider needs the bank details of the customer for a refund.',
    needsAction: true,
  },
  'refund.by_provider': {
    meaning: 'A refund was made in the dashboard of the payment provider, outside this service.',
    needsAction: true,
    reportsProblem: true,
  },
  'refund.not_recorded': {
    meaning: 'The payment provider made a refund that exceeds the refundable amount of its order.',
    needsAction: true,
    reportsProblem: true,
  },
  'refund.contradicted': {
    meaning: 'The payment provider reports a refund status that contradicts the stored one.',
    needsAction: true,
    reportsProblem: true,
  },
  'refund.amount_differs': {
    meaning: 'The payment provider refunds a different amount from the one that was requested.',
    needsAction: true,
    reportsProblem: true,
  },
  'refund.dispute_lost': {
    meaning: 'A refund waits at the payment provider although a lost dispute already returned the money.',
    needsAction: true,
    reportsProblem: true,
  },
  'return.unsettled': {
    meaning: 'A return was received, and it is neither refunded nor exchanged.',
    needsAction: true,
    reportsProblem: true,
  },
  'return.arrived': {
    meaning: 'A carrier delivered the parcel of a return, but the arrival of its units is not recorded yet.',
    needsAction: true,
    reportsProblem: true,
  },
  'shipment.exception': {
    meaning: 'A shipment has a condition that needs manual action, such as a returned parcel.',
    needsAction: true,
  },
  'audit_log.heads': {
    meaning:
      'Once a day, the service sends the head (newest position and hash) of each hash chain of the audit log, with which the log can be verified later.',
    needsAction: false,
    isOnlyEmailed: true,
  },
} as const satisfies Readonly<Record<string, KindDeclaration>>

export type NotificationKind = keyof typeof notificationKinds

export function isNotificationKind(value: string): value is NotificationKind {
  return Object.hasOwn(notificationKinds, value)
}

export const notificationKindNames: readonly NotificationKind[] =
  Object.keys(notificationKinds).filter(isNotificationKind)

export const onlyEmailed: readonly NotificationKind[] = notificationKindNames.filter(
  (kind) => 'isOnlyEmailed' in notificationKinds[kind],
)

export function isEmailedByDefault(kind: NotificationKind, role: Role): boolean {
  return notificationKinds[kind].needsAction || (role === 'owner' && onlyEmailed.includes(kind))
}

export const kindsToResolve: readonly NotificationKind[] = notificationKindNames.filter(
  (kind) => 'reportsProblem' in notificationKinds[kind],
)

export function reportsProblem(kind: string): boolean {
  return isNotificationKind(kind) && kindsToResolve.includes(kind)
}
