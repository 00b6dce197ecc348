/**
 * Statements that are not bound to one merchant, and the reason that allows all of them. Each statement is named by the
 * label of its declaration.
 */
export interface Exception {
  readonly reason: string
  readonly statements: readonly string[]
}

/**
 * Statements that read rows of all merchants and are not declared as searches (`searching`). On a distributed database,
 * such a statement reads every node, so it fails while a node does not respond.
 */
export const finds: readonly Exception[] = [
  {
    reason: 'Serves a command of the operator, which concerns all merchants.',
    statements: [
      'any_sealed_credentials',
      'any_sealed_headers',
      'any_sealed_secret',
      'any_signing_secret',
      'find_request_of_any_merchant',
      'list_stale_sealed_credentials',
      'list_stale_sealed_headers',
      'list_stale_sealed_secret',
      'list_stale_secrets',
    ],
  },
  {
    reason:
      'Searches the other mode (live or test) of the same merchant. In the database, each mode is a merchant of its own.',
    statements: [
      'find_customers_of_other_mode',
      'find_discounts_of_other_mode',
      'find_orders_of_other_mode',
      'find_payments_of_other_mode',
      'find_product_variants_of_other_mode',
      'find_products_of_other_mode',
      'find_quotes_of_other_mode',
      'find_refunds_of_other_mode',
      'find_returns_of_other_mode',
      'find_shipments_of_other_mode',
      'find_remittances_of_other_mode',
      'find_webhook_events_of_other_mode',
    ],
  },
]

/** Statements that read over all merchants and store the result in a table that is not distributed. */
export const summaries: readonly Exception[] = [
  {
    reason: 'Computes statistics of the shipments of all merchants.',
    statements: ['gather_assignment_times', 'gather_carrier_records'],
  },
]

/** Statements that run only on a single-server database, because a distributed database rejects them. */
const onOneServer: readonly Exception[] = [
  {
    reason: 'The webhook worker records the successful deliveries of many merchants with one statement.',
    statements: ['record_successes'],
  },
  {
    reason: 'Finds which merchants a standby may serve. With a distributed database, no standby serves reads.',
    statements: ['merchants_with_newer_writes'],
  },
]

export const statementsOnOneServer: ReadonlySet<string> = labelsOf(onOneServer)

export const exceptions: ReadonlySet<string> = labelsOf([...finds, ...summaries, ...onOneServer])

function labelsOf(list: readonly Exception[]): ReadonlySet<string> {
  return new Set(list.flatMap(({ statements }) => statements))
}
