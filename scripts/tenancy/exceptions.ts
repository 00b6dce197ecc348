/** Statements that are not bound to one merchant, by the reason. A statement is named by the label of its declaration. */
export interface Exception {
  readonly reason: string
  readonly statements: readonly string[]
}

/**
 * Reads over all merchants. On a distributed database, such a statement reads every node, without a lock. It only finds
 * the merchants and the ids: a later statement, bound to one merchant, reads or claims the rows. A row that is missed
 * because a node does not respond is found by the next read.
 */
export const finds: readonly Exception[] = [
  {
    reason: 'Finds the work that is due, for jobs that then run for one merchant after another.',
    statements: [
      'any_shipment_due',
      'find_due_attempts',
      'find_due_notification_mails',
      'find_due_shipments',
      'find_earlier_leases',
      'find_held_strays',
      'find_queued_strays',
      'find_strays_of_deleted_endpoints',
      'find_unobserved_shipments',
      'find_unplanned_notifications',
      'is_any_notification_mail_due',
      'list_connected_merchants',
      'list_due_endpoints',
      'list_expired_leases',
      'list_expired_orders',
      'list_held_before',
      'list_leases_of_worker',
      'list_merchants_with_head_report',
      'list_merchants_with_observations',
      'list_observed_merchants',
      'list_unlinked_audit',
      'merchants_with_carrier_callbacks',
      'merchants_with_provider_callbacks',
      'merchants_with_refunds_due',
      'merchants_with_running_bulk_replays',
    ],
  },
  {
    reason: 'Finds the rows whose retention has ended, which a job then changes for one merchant after another.',
    statements: [
      'find_delete_expired_keys',
      'find_delete_expired_secrets',
      'find_delete_observations',
      'find_delete_request_counts',
      'find_purge_shipment_positions',
      'find_redact_carrier_callbacks',
      'find_redact_provider_callbacks',
      'find_redact_quotes',
    ],
  },
  {
    reason: 'Measures a backlog of all merchants, for the metrics and the health checks.',
    statements: ['count_due_deliveries', 'oldest_due_refund', 'oldest_unsealed_audit', 'read_oldest_due_delivery'],
  },
  {
    reason: 'Serves a command of the operator, which concerns all merchants.',
    statements: [
      'any_sealed_credentials',
      'any_sealed_secret',
      'any_signing_secret',
      'audit_walk_next_merchant',
      'find_last_audit_time',
      'find_request_of_any_merchant',
      'list_stale_sealed_credentials',
      'list_stale_sealed_secret',
      'list_stale_secrets',
      'merchants_with_newer_writes',
    ],
  },
  {
    reason: 'Searches the other mode of the same merchant, which is another merchant in the database.',
    statements: [
      'find_customers_of_other_mode',
      'find_discounts_of_other_mode',
      'find_orders_of_other_mode',
      'find_payments_of_other_mode',
      'find_product_variants_of_other_mode',
      'find_products_of_other_mode',
      'find_quotes_of_other_mode',
      'find_refunds_of_other_mode',
      'find_shipments_of_other_mode',
      'find_webhook_events_of_other_mode',
    ],
  },
  {
    reason: 'Reads the shipments of all merchants, from which a job computes the surge.',
    statements: ['sum_surge_observations'],
  },
  {
    reason: 'Compares the versions of shipments that the open pages of several merchants show.',
    statements: ['find_shipment_marks'],
  },
  {
    reason:
      'Reads the session of a member, whose merchant is not known before, with the number of unread notifications.',
    statements: ['find_session'],
  },
]

/** Reads over all merchants whose result the statement stores in a table that is not distributed. */
export const summaries: readonly Exception[] = [
  {
    reason: 'Computes statistics of the shipments of all merchants.',
    statements: ['gather_assignment_times', 'gather_carrier_records', 'gather_shared_cases'],
  },
]

/**
 * Statements that lock or write rows of several merchants at once. A distributed database rejects the locks of such a
 * statement, so each must become a find and a claim for each merchant.
 */
export const claimsOfSeveralMerchants: readonly Exception[] = [
  {
    reason: 'The webhook worker claims and records deliveries of many endpoints with one statement.',
    statements: [
      'claim_deliveries_of_disabled_endpoints',
      'claim_deliveries_of_enabled_endpoints',
      'lock_endpoint_states',
      'lock_leased_deliveries',
      'record_successes',
      'release_deliveries',
      'schedule_next_attempts',
    ],
  },
]
