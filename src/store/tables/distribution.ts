import type { Tables } from './tables.ts'

/**
 * The class of each table in a database that is distributed over several nodes:
 *
 *   distributed   A row is on the node of its merchant, by `merchant_id`. The rows of a merchant are on one node.
 *   reference     Every node has all rows. A write waits for all nodes, so the rows must be few and change rarely.
 *   coordinator   Only the coordinator has rows. A join with a distributed table would copy rows between nodes.
 *
 * If the class of a table is not obvious, the reason is beside the class. This includes each table with `merchant_id`
 * that is not distributed. The tables of Kysely and Graphile Worker are on the coordinator.
 */
type Distribution = readonly [is: DistributionClass, reason?: string]

export type DistributionClass = 'distributed' | 'reference' | 'coordinator'

export const distribution = {
  api_tokens: ['reference', 'Authentication finds a token by its hash, before the merchant is known.'],
  audit_chain: ['distributed'],
  audit_heads: ['distributed'],
  audit_log: ['distributed'],
  audit_progress: ['coordinator'],
  audit_queue: ['distributed'],
  audit_resources: ['distributed'],
  carrier_accounts: ['distributed'],
  carrier_address_codes: ['distributed'],
  carrier_assignment_times: ['coordinator'],
  carrier_call_windows: ['distributed'],
  carrier_callbacks: ['distributed'],
  carrier_cash: ['distributed'],
  carrier_records: ['coordinator'],
  customer_addresses: ['distributed'],
  customers: ['distributed'],
  delivery_zones: ['reference', 'Statements on shipments and quotes join this table.'],
  discount_redemptions: ['distributed'],
  discounts: ['distributed'],
  dispatch_attempts: ['distributed'],
  encryption_key_holders: ['coordinator'],
  encryption_keys: ['coordinator'],
  idempotency_keys: ['distributed'],
  inventory: ['distributed'],
  invitations: ['coordinator', 'A visitor finds an invitation by the hash of its link, before the merchant is known.'],
  known_devices: ['coordinator'],
  logistics_observations: ['distributed'],
  logistics_quantiles: ['distributed'],
  members: ['reference', 'A session reads the memberships of its user at all merchants, so every node needs all rows.'],
  merchants: ['reference', 'The tables of merchants refer to it.'],
  notification_mails: ['distributed'],
  notification_positions: ['distributed'],
  notification_preferences: ['distributed'],
  notification_reads: ['distributed'],
  notifications: ['distributed'],
  order_comments: ['distributed'],
  order_discounts: ['distributed'],
  order_items: ['distributed'],
  order_status_changes: ['distributed'],
  orders: ['distributed'],
  passkey_challenges: ['coordinator'],
  passkeys: ['coordinator'],
  payment_disputes: ['distributed'],
  payment_links: ['distributed'],
  payment_provider_keys: ['distributed'],
  payments: ['distributed'],
  product_imports: ['distributed'],
  product_variants: ['distributed'],
  products: ['distributed'],
  provider_callbacks: ['distributed'],
  quote_offers: ['distributed'],
  quotes: ['distributed'],
  rate_limit_processes: ['coordinator'],
  rate_limits: [
    'coordinator',
    'Every request may write to this table, and a write to a reference table would wait for all nodes.',
  ],
  receipt_counters: ['distributed'],
  receipts: ['distributed'],
  refund_items: ['distributed'],
  refunds: ['distributed'],
  request_counts: ['distributed'],
  request_log: ['distributed'],
  remittances: ['distributed'],
  return_items: ['distributed'],
  returns: ['distributed'],
  sales_changes: ['distributed'],
  sales_summaries: ['distributed'],
  schedule_calibrations: ['distributed'],
  schedule_predictions: ['distributed'],
  service_keys: ['coordinator'],
  sessions: [
    'coordinator',
    'Every page view may write a session, and a write to a reference table waits for all nodes.',
  ],
  shared_audit_chain: ['coordinator'],
  shared_audit_heads: ['coordinator'],
  shared_audit_log: ['coordinator'],
  shared_quantiles: [
    'reference',
    'The estimate of a shipment reads this table together with the quantiles of the merchant.',
  ],
  shipment_events: ['distributed'],
  shipment_positions: ['distributed'],
  shipments: ['distributed'],
  sign_in_failures: ['coordinator'],
  sign_in_links: ['coordinator'],
  simulated_orders: ['coordinator'],
  simulated_payment_callbacks: ['coordinator'],
  simulated_payments: ['coordinator'],
  simulated_refunds: ['coordinator'],
  stock_movements: ['distributed'],
  submitted_forms: ['coordinator'],
  surge_overrides: ['coordinator'],
  surge_snapshots: ['coordinator'],
  surge_states: ['coordinator'],
  test_clocks: ['distributed'],
  unknown_carrier_statuses: ['coordinator'],
  unmatched_disputes: ['distributed'],
  users: ['reference', 'The audit log and the notifications of a merchant are joined with this table.'],
  webhook_attempts: ['distributed'],
  webhook_bulk_replays: ['distributed'],
  webhook_deliveries: ['distributed'],
  webhook_endpoints: ['distributed'],
  webhook_events: ['distributed'],
  webhook_leases: ['distributed'],
  webhook_secrets: ['distributed'],
  webhook_subscriptions: ['distributed'],
} as const satisfies Record<keyof Tables, Distribution>

/** Returns the names of the tables that have the given distribution class. */
export function tablesOf(wanted: DistributionClass): readonly string[] {
  return Object.entries(distribution).flatMap(([table, [is]]) => (is === wanted ? [table] : []))
}
