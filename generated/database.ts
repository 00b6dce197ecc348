// DO NOT EDIT. Written by `npm run generate` from the migrated schema.

import type { ColumnType } from 'kysely'

/** A column the database fills in when an insert leaves it out. */
export type Generated<T> =
  T extends ColumnType<infer Select, infer Insert, infer Update>
    ? ColumnType<Select, Insert | undefined, Update>
    : ColumnType<T, T | undefined, T>

/** Read as parsed JSON, written as JSON text. */
export type JsonColumn = ColumnType<unknown, string, string>

export interface ApiTokens {
  merchant_id: string
  id: string
  name: string
  prefix: string
  last_four: string
  token_hash: Buffer
  scopes: string[]
  ip_allowlist: Generated<string[]>
  created_by: string
  created_at: string
  expires_at: string | null
  revoked_at: string | null
  last_used_at: string | null
  last_used_ip: string | null
}

export interface AuditChain {
  merchant_id: string
  number: number
  audit_id: string
  hash: Buffer
}

export interface AuditHeads {
  merchant_id: string
  number: number
  hash: Buffer
  sealed_at: string
  key_id: string | null
  signature: Buffer | null
}

export interface AuditLog {
  merchant_id: string
  id: string
  occurred_at: string
  transaction_id: Generated<string>
  actor_type: string
  actor_id: string | null
  actor_label: string
  action: string
  resource_type: string
  resource_id: string
  request_id: string | null
  source_ip: string | null
  user_agent: string | null
  changes: Generated<JsonColumn>
  recorded_xid: Generated<number | null>
  recorded_at: Generated<string | null>
  session_id: string | null
  resources: string[] | null
}

export interface AuditProgress {
  is_only: Generated<boolean>
  cluster: string
  from_xid: number
  walk_pass: string | null
  walk_merchant_id: string | null
  walk_id: string | null
}

export interface AuditResources {
  merchant_id: string
  resource_id: string
  audit_id: string
}

export interface CarrierAccounts {
  merchant_id: string
  carrier: string
  sealed_credentials: Buffer
  hint: string
  callback_key: string
  created_at: string
  updated_at: string
}

export interface CarrierAddressCodes {
  merchant_id: string
  carrier: string
  account_digest: string
  address_digest: string
  code: number
  created_at: string
}

export interface CarrierAssignmentTimes {
  carrier: string
  zone_id: string
  is_on_demand: boolean
  sample_size: number
  p95_seconds: number | null
  rolled_up_at: string
}

export interface CarrierCallWindows {
  merchant_id: string
  carrier: string
  account_digest: string
  minute_at: string
  minute_calls: number
  second_at: string
  second_calls: number
}

export interface CarrierCallbacks {
  merchant_id: string
  id: string
  carrier: string
  dedupe_hash: Buffer
  body: Buffer
  parsed_body: JsonColumn | null
  is_trusted: boolean
  source_ip: string
  request_id: string
  user_agent: string | null
  received_at: string
  next_attempt_at: string | null
  processed_at: string | null
  outcome: string | null
  reason: string | null
  failures: Generated<number>
  error: string | null
}

export interface CarrierRecords {
  zone_id: string
  carrier: string
  succeeded: number
  failed: number
  rolled_up_at: string
}

export interface CustomerAddresses {
  merchant_id: string
  customer_id: string
  id: string
  recipient_name: string | null
  phone: string | null
  line1: string
  line2: string | null
  landmark: string | null
  area: string | null
  city: string
  state: string
  country: Generated<string>
  postal_code: string | null
  instructions: string | null
  latitude: number | null
  longitude: number | null
  created_at: string
  updated_at: string
}

export interface Customers {
  merchant_id: string
  id: string
  name: string
  email: string
  phone: string | null
  default_address_id: string | null
  tags: Generated<string[]>
  note: string | null
  marketing: Generated<JsonColumn>
  external_reference: string | null
  status: Generated<string>
  metadata: Generated<JsonColumn>
  version: Generated<number>
  deleted_at: string | null
  created_at: string
  updated_at: string
}

export interface DeliveryZones {
  id: string
  name: string
  state: string
  city: string
  lgas: string[]
  areas: string[]
  centroid_lat: number
  centroid_lng: number
  bbox: number[]
  geometry: JsonColumn
  boundary_status: Generated<string>
  service_levels: string[]
  operating_hours: JsonColumn
  neighbours: string[]
  base_fare_kobo: number
  per_km_kobo: number
  included_meters: number
  per_kg_kobo: number
  included_grams: number
  average_speed_kmh: number
  active: Generated<boolean>
  created_at: string
  updated_at: string
}

export interface DiscountRedemptions {
  merchant_id: string
  id: string
  discount_id: string
  order_id: string
  amount_kobo: number
  customer_id: string | null
  customer_email: string
  customer_phone: string | null
  created_at: string
  released_at: string | null
}

export interface Discounts {
  merchant_id: string
  id: string
  title: string
  code: string | null
  type: string
  percentage_bps: number | null
  amount_kobo: number | null
  max_discount_kobo: number | null
  applies_to_scope: Generated<string>
  applies_to_ids: Generated<string[]>
  minimum_subtotal_kobo: number | null
  minimum_quantity: number | null
  starts_at: string
  ends_at: string | null
  usage_limit: number | null
  usage_limit_per_customer: number | null
  first_order_only: Generated<boolean>
  customer_ids: string[] | null
  combines_with: Generated<string[]>
  status: Generated<string>
  redemption_count: Generated<number>
  metadata: Generated<JsonColumn>
  version: Generated<number>
  created_at: string
  updated_at: string
}

export interface DispatchAttempts {
  merchant_id: string
  shipment_id: string
  number: number
  carrier: string
  reference: string
  state: string
  offer: JsonColumn
  price_kobo: number
  carrier_reference: string | null
  outcome_code: string | null
  outcome_message: string | null
  cancel_fee_kobo: number | null
  duplicate_cost_kobo: number | null
  started_at: string
  answered_at: string | null
  resolved_at: string | null
  not_found_count: Generated<number>
  not_found_since: string | null
  checks: Generated<number>
  next_check_at: string | null
  assign_deadline: string | null
  monitor_until: string | null
}

export interface EncryptionKeyHolders {
  process_id: string
  label: string
  key_ids: string[]
  seen_at: string
}

export interface EncryptionKeys {
  id: string
  used_since: string
  retired_at: string | null
}

export interface IdempotencyKeys {
  merchant_id: string
  route: string
  key: string
  fingerprint: Buffer
  token_id: string
  request_id: string
  response_status: number | null
  response_body: string | null
  response_location: string | null
  refund_id: string | null
  created_at: string
  expires_at: string
}

export interface Inventory {
  merchant_id: string
  variant_id: string
  on_hand: Generated<number>
  reserved: Generated<number>
  available: ColumnType<number, never, never>
  tracked: Generated<boolean>
  allow_backorder: Generated<boolean>
  low_stock_threshold: number | null
  is_low: Generated<boolean>
  updated_at: string
  product_low_stock_threshold: number | null
}

export interface Invitations {
  merchant_id: string
  id: string
  token_hash: Buffer
  email: string
  name: string | null
  role: string
  created_by: string
  created_at: string
  expires_at: string
  accepted_at: string | null
  revoked_at: string | null
  creator_member_id: string | null
}

export interface KnownDevices {
  token_hash: Buffer
  user_id: string
  created_at: string
  last_used_at: string
}

export interface LogisticsObservations {
  merchant_id: string
  shipment_id: string
  kind: string
  carrier: string
  zone_from: string | null
  zone_to: string | null
  hour_bucket: number
  seconds: number | null
  is_censored: Generated<boolean>
  is_inferred: Generated<boolean>
  observed_at: string
  recorded_at: string
}

export interface LogisticsQuantiles {
  merchant_id: string
  kind: string
  hour_bucket: number
  sample_size: number
  seconds: number[]
  updated_at: string
}

export interface Members {
  merchant_id: string
  id: string
  user_id: string
  role: string
  created_at: string
  removed_at: string | null
}

export interface Merchants {
  id: string
  name: string
  mode: string
  live_merchant_id: string | null
  default_state: Generated<string>
  tax_registered: Generated<boolean>
  tax_rate_bps: Generated<number>
  tax_inclusive: Generated<boolean>
  low_stock_threshold: Generated<number | null>
  pending_order_ttl_minutes: Generated<number | null>
  suspended_at: string | null
  created_at: string
  auto_confirm_pay_on_delivery: Generated<boolean>
  default_pickup: JsonColumn | null
  rate_limits: string | null
}

export interface NotificationMails {
  created_at: string
  next_attempt_at: string | null
  completed_at: string | null
  attempts: Generated<number>
  merchant_id: string
  notification_id: string
  member_id: string
  status: Generated<string>
  last_error: string | null
}

export interface NotificationPositions {
  merchant_id: string
  member_id: string
  read_before: string
}

export interface NotificationPreferences {
  merchant_id: string
  member_id: string
  kind: string
  by_email: boolean
}

export interface NotificationReads {
  merchant_id: string
  member_id: string
  notification_id: string
}

export interface Notifications {
  merchant_id: string
  id: string
  kind: string
  endpoint_id: string | null
  data: Generated<JsonColumn>
  created_at: string
  read_at: string | null
  is_mail_planned: Generated<boolean>
  resolved_at: string | null
}

export interface OrderDiscounts {
  merchant_id: string
  order_id: string
  discount_id: string
  position: number
  code: string
  type: string
  amount_kobo: number
  allocations: JsonColumn
}

export interface OrderItems {
  merchant_id: string
  order_id: string
  id: string
  position: number
  product_id: string | null
  variant_id: string | null
  sku: string
  title: string
  variant_title: string
  option_values: Generated<JsonColumn>
  image_url: string | null
  quantity: number
  fulfilled_quantity: Generated<number>
  returned_quantity: Generated<number>
  refunded_quantity: Generated<number>
  cancelled_quantity: Generated<number>
  unit_price_kobo: number
  compare_at_price_kobo: number | null
  subtotal_kobo: number
  discount_kobo: Generated<number>
  tax_rate_bps: Generated<number>
  tax_kobo: Generated<number>
  total_kobo: number
  lost_quantity: Generated<number>
}

export interface OrderStatusChanges {
  merchant_id: string
  order_id: string
  version: number
  from_status: string
  to_status: string
  reason: string | null
  actor_type: string
  actor_id: string | null
  occurred_at: string
}

export interface Orders {
  merchant_id: string
  id: string
  number: string
  status: string
  held_from: string | null
  version: Generated<number>
  customer_id: string | null
  customer_name: string
  customer_email: string
  customer_phone: string | null
  payment_method: string
  subtotal_kobo: number
  discount_kobo: Generated<number>
  shipping_kobo: Generated<number>
  tax_kobo: Generated<number>
  total_kobo: number
  tax_inclusive: boolean
  tax_rate_bps: number
  paid_kobo: Generated<number>
  refunded_kobo: Generated<number>
  refund_pending_kobo: Generated<number>
  refunded_tax_kobo: Generated<number>
  item_quantity: number
  fulfilled_quantity: Generated<number>
  returned_quantity: Generated<number>
  payment_status: ColumnType<string, never, never>
  fulfillment_status: ColumnType<string, never, never>
  shipping_address: JsonColumn | null
  billing_address: JsonColumn | null
  note: string | null
  customer_note: string | null
  tags: Generated<string[]>
  external_reference: string | null
  source: Generated<string>
  cancel_reason: string | null
  metadata: Generated<JsonColumn>
  expires_at: string | null
  confirmed_at: string | null
  paid_at: string | null
  shipped_at: string | null
  delivered_at: string | null
  cancelled_at: string | null
  returned_at: string | null
  created_at: string
  updated_at: string
  cancel_note: string | null
  provider_paid_kobo: Generated<number>
}

export interface PasskeyChallenges {
  token_hash: Buffer
  challenge: string
  session_id: string | null
  network: string | null
  expires_at: string
}

export interface Passkeys {
  credential_id: string
  user_id: string
  public_key: Buffer
  counter: number
  transports: string[]
  name: string
  created_at: string
  last_used_at: string | null
}

export interface PaymentDisputes {
  merchant_id: string
  dispute_id: string
  payment_id: string
  status: string
  resolution: string | null
  lost_kobo: Generated<number>
  opened_at: string
  resolved_at: string | null
}

export interface PaymentProviderKeys {
  merchant_id: string
  provider: string
  sealed_secret: Buffer
  last_four: string
  created_at: string
  updated_at: string
}

export interface Payments {
  merchant_id: string
  id: string
  order_id: string
  amount_kobo: number
  method: string
  reference: string
  provider: Generated<string>
  paid_at: string
  disputed_at: string | null
  created_at: string
  dispute_lost_kobo: Generated<number>
  voided_at: string | null
  void_reason: string | null
}

export interface ProductVariants {
  merchant_id: string
  id: string
  product_id: string
  sku: string
  title: string
  option_values: Generated<JsonColumn>
  price_kobo: number
  compare_at_price_kobo: number | null
  cost_kobo: number | null
  barcode: string | null
  weight_grams: number | null
  image_id: string | null
  position: number
  archived_at: string | null
  created_at: string
  updated_at: string
  removed_at: string | null
}

export interface Products {
  merchant_id: string
  id: string
  title: string
  slug: string
  description: Generated<string>
  status: string
  options: Generated<JsonColumn>
  images: Generated<JsonColumn>
  category: string | null
  brand: string | null
  tags: Generated<string[]>
  low_stock_threshold: number | null
  tax_exempt: Generated<boolean>
  metadata: Generated<JsonColumn>
  version: Generated<number>
  published_at: string | null
  archived_at: string | null
  created_at: string
  updated_at: string
  skus: Generated<string>
}

export interface ProviderCallbacks {
  merchant_id: string
  id: string
  provider: string
  body: Buffer
  body_hash: Buffer
  kind: string | null
  subject: string | null
  payment_reference: string | null
  source_ip: string
  request_id: string
  user_agent: string | null
  received_at: string
  next_attempt_at: string | null
  outcome: string | null
  reason: string | null
  processed_at: string | null
  failures: Generated<number>
  error: string | null
}

export interface QuoteOffers {
  merchant_id: string
  quote_id: string
  id: string
  rank: number
  carrier: string
  service: string
  service_level: string
  vehicle: string
  price_kobo: number
  carrier_price_kobo: number
  breakdown: JsonColumn
  pickup_minutes: JsonColumn | null
  dropoff_minutes: JsonColumn | null
  reliability: number
  price_lock: string
  token: string
  tags: Generated<string[]>
  expires_at: string
  sub_carrier: string | null
}

export interface Quotes {
  merchant_id: string
  id: string
  order_id: string | null
  status: string
  pickup: JsonColumn
  dropoff: JsonColumn
  parcels: JsonColumn
  vehicle: string
  service_levels: string[]
  pickup_window: JsonColumn | null
  dropoff_window: JsonColumn | null
  declared_value_kobo: number | null
  pickup_zone_id: string | null
  dropoff_zone_id: string | null
  distance_meters: number
  surge: JsonColumn | null
  carriers: JsonColumn
  warnings: Generated<string[]>
  created_at: string
  expires_at: string
  used_at: string | null
  redacted_at: string | null
  items: JsonColumn | null
}

export interface RateLimitProcesses {
  id: string
  counted_at: string
}

export interface RateLimits {
  key: string
  arrival_at: string
  charge_ms: Generated<number>
}

export interface RefundItems {
  merchant_id: string
  refund_id: string
  order_id: string
  item_id: string
  quantity: number
  restock: Generated<boolean>
  amount_kobo: number
}

export interface Refunds {
  merchant_id: string
  id: string
  order_id: string
  payment_id: string | null
  amount_kobo: number
  tax_kobo: Generated<number>
  reason: string
  note: string | null
  status: string
  destination: string
  account_number: string | null
  bank_code: string | null
  account_name: string | null
  provider: string
  provider_reference: string | null
  submitted_at: string | null
  failure_code: string | null
  failure_message: string | null
  order_refunded_kobo: number
  order_refundable_kobo: number
  order_payment_status: string
  created_by_type: string
  created_by_id: string | null
  metadata: Generated<JsonColumn>
  expected_at: string | null
  succeeded_at: string | null
  failed_at: string | null
  created_at: string
  updated_at: string
  next_check_at: string | null
  checks: Generated<number>
  created_process: string | null
  not_found_since: string | null
  created_server: string | null
}

export interface RequestCounts {
  merchant_id: string
  hour: string
  status_class: number
  requests: number
}

export interface RequestLog {
  occurred_at: string
  recorded_xid: string
  duration_ms: number
  status: number
  merchant_id: string
  id: string
  token_id: string
  operation: string
  error_code: string | null
  source_ip: string
}

export interface ScheduleCalibrations {
  merchant_id: string
  kind: string
  widening: number
  coverage50: number
  coverage90: number
  sample_size: number
  evaluated_at: string | null
}

export interface SchedulePredictions {
  merchant_id: string
  id: string
  shipment_id: string
  basis: string
  made_at: string
  dispatch_at: string
  ready_p50_at: string
  ready_p90_at: string
  arrival_p50_at: string
  arrival_p90_at: string
  schedule: JsonColumn
  request: JsonColumn
  replanned_at: string | null
  dispatched_at: string | null
  ready_at: string | null
  ready_by_at: string | null
  arrived_at: string | null
  completed_at: string | null
}

export interface ServiceKeys {
  purpose: string
  key_id: number
  secret: Buffer
  created_at: string
}

export interface Sessions {
  id: string
  token_hash: Buffer
  user_id: string
  selected_merchant_id: string | null
  stage: string
  created_at: string
  last_seen_at: string
  expires_at: string
  authenticated_at: string
  source_ip: string | null
  user_agent: string | null
  revoked_at: string | null
}

export interface SharedAuditChain {
  number: number
  audit_id: string
  hash: Buffer
}

export interface SharedAuditHeads {
  number: number
  hash: Buffer
  sealed_at: string
  key_id: string | null
  signature: Buffer | null
}

export interface SharedAuditLog {
  id: string
  occurred_at: string
  actor_type: string
  actor_label: string
  action: string
  resource_type: string
  resource_id: string
  changes: Generated<JsonColumn>
  recorded_xid: Generated<number | null>
  recorded_at: Generated<string | null>
  source_ip: string | null
}

export interface SharedQuantiles {
  is_simulated: boolean
  kind: string
  zone_from: string
  zone_to: string
  hour_bucket: number
  sample_size: number
  seconds: number[]
  updated_at: string
}

export interface ShipmentEvents {
  merchant_id: string
  shipment_id: string
  number: number
  attempt_number: number | null
  status: string | null
  carrier_status: string | null
  source: string
  description: string
  is_applied: boolean
  occurred_at: string
  received_at: string
}

export interface ShipmentPositions {
  merchant_id: string
  shipment_id: string
  number: number
  attempt_number: number
  lat: number
  lng: number
  heading_degrees: number | null
  source: string
  recorded_at: string
  received_at: string
}

export interface Shipments {
  merchant_id: string
  id: string
  reference: string
  request_hash: string
  order_id: string | null
  quote_id: string | null
  offer_id: string | null
  status: string
  status_code: string | null
  status_message: string | null
  pickup: JsonColumn
  dropoff: JsonColumn
  parcels: JsonColumn
  pickup_zone_id: string | null
  dropoff_zone_id: string | null
  distance_meters: number
  vehicle: string
  service_level: string | null
  service: string | null
  proof: JsonColumn
  undeliverable_action: string
  failover: JsonColumn
  plan: JsonColumn
  price_ceiling_kobo: number
  carrier: string | null
  carrier_reference: string | null
  tracking_url: string | null
  label_url: string | null
  quoted_price_kobo: number
  price_kobo: number | null
  surge_kobo: Generated<number>
  surge_snapshot_id: string | null
  courier: JsonColumn | null
  delivery_estimate: JsonColumn | null
  captured_proof: Generated<JsonColumn>
  exceptions: Generated<JsonColumn>
  cancel_requested_at: string | null
  cancel_reason: string | null
  cancel_note: string | null
  cancel_max_fee_kobo: number | null
  cancel_fee_kobo: number | null
  cancel_refund_kobo: number | null
  dispatch_at: string | null
  scheduled_pickup_at: string | null
  dispatched_at: string | null
  accepted_at: string | null
  assigned_at: string | null
  picked_up_at: string | null
  delivered_at: string | null
  ended_at: string | null
  event_count: Generated<number>
  attempt_count: Generated<number>
  next_check_at: string | null
  checks: Generated<number>
  metadata: Generated<JsonColumn>
  version: Generated<number>
  created_at: string
  updated_at: string
  pickup_estimate: JsonColumn | null
  items: JsonColumn
  items_booked: Generated<string>
  warnings: Generated<JsonColumn>
  removed_items: Generated<JsonColumn>
}

export interface SignInFailures {
  key_hash: Buffer
  count: number
  last_failed_at: string
}

export interface SignInLinks {
  token_hash: Buffer
  user_id: string
  purpose: string
  created_at: string
  expires_at: string
  used_at: string | null
}

export interface SimulatedOrders {
  company: string
  number: string
  reference: string
  service: string
  vehicle: string
  price_kobo: number
  pickup_latitude: number
  pickup_longitude: number
  dropoff_latitude: number
  dropoff_longitude: number
  has_pin: boolean
  seed: string
  step_ms: number
  fault: string
  callback_url: string | null
  callback_secret: string | null
  callback_digits: string
  callbacks_sent: Generated<number>
  callback_attempts: Generated<number>
  next_callback_at: string | null
  created_at: string
  accepted_at: string
  cancelled_at: string | null
  cancellation_fee_kobo: number | null
}

export interface SimulatedPaymentCallbacks {
  id: ColumnType<number, never, never>
  url: string
  key: string
  body: string
  due_at: string
  attempts: Generated<number>
}

export interface SimulatedPayments {
  account: string
  reference: string
  id: ColumnType<number, never, never>
  amount_kobo: number
  behaviour: string
  paid_at: string
}

export interface SimulatedRefunds {
  id: ColumnType<number, never, never>
  account: string
  reference: string
  amount_kobo: number
  note: string
  behaviour: string
  step_ms: number
  created_at: string
  details_at: string | null
}

export interface StockMovements {
  merchant_id: string
  id: string
  variant_id: string
  reason: string
  order_id: string | null
  refund_id: string | null
  on_hand_delta: number
  reserved_delta: number
  on_hand: number
  reserved: number
  note: string | null
  created_at: string
}

export interface SubmittedForms {
  session_id: string
  form_id: string
  submitted_at: string
}

export interface SurgeOverrides {
  id: string
  book: string
  zone_id: string | null
  city: string | null
  kind: string
  multiplier: number | null
  reason: string
  actor_label: string
  created_at: string
  expires_at: string | null
}

export interface SurgeSnapshots {
  book: string
  zone_id: string
  id: string
  slot_at: string
  computed_at: string
  published_at: string
  valid_until: string
  multiplier: number
  basis: string
  trend: string
  cap: number
  raw: number
  smoothed: number
  reference_fare_kobo: number
  surge_kobo: number
  factors: JsonColumn
  inputs: JsonColumn
  sample_size: number
}

export interface SurgeStates {
  book: string
  zone_id: string
  log_multiplier: number
  ticked_at: string
  baseline: JsonColumn
  baseline_hour: string
}

export interface UnknownCarrierStatuses {
  carrier: string
  status: string
  times: number
  first_at: string
  last_at: string
}

export interface UnmatchedDisputes {
  merchant_id: string
  dispute_id: string
  payment_reference: string
  status: string
  resolution: string | null
  lost_kobo: number | null
  reported_at: string
}

export interface Users {
  id: string
  email: string
  display_email: string
  name: string
  password_hash: string | null
  totp_sealed: Buffer | null
  totp_pending_sealed: Buffer | null
  totp_last_step: number | null
  created_at: string
  updated_at: string
}

export interface WebhookAttempts {
  merchant_id: string
  delivery_id: string
  number: number
  started_at: string
  finished_at: string
  outcome: string
  http_status: number | null
  error_code: string | null
  response_body: string | null
  dns_ms: number | null
  connect_ms: number | null
  tls_ms: number | null
  first_byte_ms: number | null
  duration_ms: number
  is_reused: boolean | null
  url: string
  endpoint_epoch: number
  failures_at_claim: number | null
}

export interface WebhookBulkReplays {
  merchant_id: string
  id: string
  endpoint_id: string
  since: string
  until: string
  statuses: string[]
  status: Generated<string>
  last_delivery_id: string | null
  queued: Generated<number>
  created_at: string
  completed_at: string | null
}

export interface WebhookDeliveries {
  merchant_id: string
  id: string
  event_id: string
  endpoint_id: string
  status: string
  trigger: Generated<string>
  replay_of: string | null
  attempt_count: Generated<number>
  next_attempt_at: string | null
  is_paced: Generated<boolean>
  lost_count: Generated<number>
  lease_until: string | null
  leased_by: string | null
  lease_number: Generated<number>
  created_at: string
  completed_at: string | null
  bulk_replay_id: string | null
}

export interface WebhookEndpoints {
  merchant_id: string
  id: string
  url: string
  description: Generated<string>
  status: Generated<string>
  disabled_reason: string | null
  disabled_at: string | null
  consecutive_failures: Generated<number>
  epoch: Generated<number>
  paced_until: string | null
  deleted_at: string | null
  created_at: string
  updated_at: string
  ramp: number | null
}

export interface WebhookEvents {
  merchant_id: string
  id: string
  kind: string
  resource_id: string
  body: string
  is_test: Generated<boolean>
  created_at: string
}

export interface WebhookLeases {
  merchant_id: string
  endpoint_id: string
  id: Generated<string>
  worker_id: string
  expires_at: string
  delivery_ids: string[]
}

export interface WebhookSecrets {
  merchant_id: string
  endpoint_id: string
  id: string
  secret: string | null
  created_at: string
  expires_at: string | null
  sealed: Buffer | null
}

export interface WebhookSubscriptions {
  merchant_id: string
  kind: string
  endpoint_id: string
}

export interface Tables {
  api_tokens: ApiTokens
  audit_chain: AuditChain
  audit_heads: AuditHeads
  audit_log: AuditLog
  audit_progress: AuditProgress
  audit_resources: AuditResources
  carrier_accounts: CarrierAccounts
  carrier_address_codes: CarrierAddressCodes
  carrier_assignment_times: CarrierAssignmentTimes
  carrier_call_windows: CarrierCallWindows
  carrier_callbacks: CarrierCallbacks
  carrier_records: CarrierRecords
  customer_addresses: CustomerAddresses
  customers: Customers
  delivery_zones: DeliveryZones
  discount_redemptions: DiscountRedemptions
  discounts: Discounts
  dispatch_attempts: DispatchAttempts
  encryption_key_holders: EncryptionKeyHolders
  encryption_keys: EncryptionKeys
  idempotency_keys: IdempotencyKeys
  inventory: Inventory
  invitations: Invitations
  known_devices: KnownDevices
  logistics_observations: LogisticsObservations
  logistics_quantiles: LogisticsQuantiles
  members: Members
  merchants: Merchants
  notification_mails: NotificationMails
  notification_positions: NotificationPositions
  notification_preferences: NotificationPreferences
  notification_reads: NotificationReads
  notifications: Notifications
  order_discounts: OrderDiscounts
  order_items: OrderItems
  order_status_changes: OrderStatusChanges
  orders: Orders
  passkey_challenges: PasskeyChallenges
  passkeys: Passkeys
  payment_disputes: PaymentDisputes
  payment_provider_keys: PaymentProviderKeys
  payments: Payments
  product_variants: ProductVariants
  products: Products
  provider_callbacks: ProviderCallbacks
  quote_offers: QuoteOffers
  quotes: Quotes
  rate_limit_processes: RateLimitProcesses
  rate_limits: RateLimits
  refund_items: RefundItems
  refunds: Refunds
  request_counts: RequestCounts
  request_log: RequestLog
  schedule_calibrations: ScheduleCalibrations
  schedule_predictions: SchedulePredictions
  service_keys: ServiceKeys
  sessions: Sessions
  shared_audit_chain: SharedAuditChain
  shared_audit_heads: SharedAuditHeads
  shared_audit_log: SharedAuditLog
  shared_quantiles: SharedQuantiles
  shipment_events: ShipmentEvents
  shipment_positions: ShipmentPositions
  shipments: Shipments
  sign_in_failures: SignInFailures
  sign_in_links: SignInLinks
  simulated_orders: SimulatedOrders
  simulated_payment_callbacks: SimulatedPaymentCallbacks
  simulated_payments: SimulatedPayments
  simulated_refunds: SimulatedRefunds
  stock_movements: StockMovements
  submitted_forms: SubmittedForms
  surge_overrides: SurgeOverrides
  surge_snapshots: SurgeSnapshots
  surge_states: SurgeStates
  unknown_carrier_statuses: UnknownCarrierStatuses
  unmatched_disputes: UnmatchedDisputes
  users: Users
  webhook_attempts: WebhookAttempts
  webhook_bulk_replays: WebhookBulkReplays
  webhook_deliveries: WebhookDeliveries
  webhook_endpoints: WebhookEndpoints
  webhook_events: WebhookEvents
  webhook_leases: WebhookLeases
  webhook_secrets: WebhookSecrets
  webhook_subscriptions: WebhookSubscriptions
}
