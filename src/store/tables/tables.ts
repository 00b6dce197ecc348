import type { Generated, Tables as GeneratedTables } from '../../../generated/database.ts'
import type { CustomerStatus } from '../../../registry/customers/customer.ts'
import type { BoundaryStatus } from '../../../registry/logistics/zones.ts'
import type { PaymentMethod, PaymentStatus, VoidReason } from '../../../registry/orders/order-states.ts'
import type { MovementReason } from '../../../registry/products/inventory.ts'
import type { ProductStatus } from '../../../registry/products/product-states.ts'
import type { RefundDestination, RefundStatus } from '../../../registry/refunds/refund-states.ts'
import type {
  DiscountClass,
  DiscountScope,
  DiscountStatus,
  DiscountType,
} from '../../../registry/values/discount-terms.ts'
import type { Scope } from '../../../registry/values/scopes.ts'
import type { State } from '../../../registry/values/states.ts'
import type {
  AddressId,
  CustomerId,
  DiscountId,
  ImageId,
  Kobo,
  MerchantId,
  MovementId,
  OrderId,
  OrderItemId,
  PaymentId,
  ProductId,
  RedemptionId,
  RefundId,
  ScheduleId,
  SessionId,
  ShipmentId,
  Timestamp,
  TokenId,
  UserId,
  VariantId,
} from '../../../registry/values/vocabulary.ts'
import type { BulkReplayColumns, BulkReplayStatus } from './bulk-replay.ts'
import type { Computed } from './computed.ts'
import type { PaymentDisputeColumns, UnmatchedDisputeColumns } from './dispute.ts'
import type { InvitationColumns, MemberColumns, SessionColumns, SignInLinkColumns, UserColumns } from './member.ts'
import type { NotificationColumns, NotificationMailColumns, NotificationPreferenceColumns } from './notification.ts'
import type { OrderColumns, OrderItemColumns } from './order.ts'
import type { RequestCountsColumns, RequestLogColumns } from './request.ts'
import type { SimulatedOrderColumns } from './simulated-order.ts'
import type {
  SimulatedPaymentCallbackColumns,
  SimulatedPaymentColumns,
  SimulatedRefundColumns,
} from './simulated-payment.ts'
import type { SurgeOverrideColumns, SurgeSnapshotColumns, SurgeStateColumns } from './surge.ts'
import type {
  WebhookAttemptColumns,
  WebhookDeliveryColumns,
  WebhookEndpointColumns,
  WebhookEventColumns,
  WebhookLeaseColumns,
  WebhookSecretColumns,
  WebhookSubscriptionColumns,
} from './webhook.ts'
import type { ZoneColumns } from './zone.ts'

/**
 * The generated table types with narrower types: branded ids, unions, kobo. A column named here that the database does
 * not have is a compile error.
 */
type Refine<
  Table extends keyof GeneratedTables,
  Columns extends { [Column in keyof Columns]: Column extends keyof GeneratedTables[Table] ? unknown : never },
> = Omit<GeneratedTables[Table], keyof Columns> & Columns

/** Payment providers. `manual` is a payment that the merchant receives and refunds outside the service. */
export type PaymentProviderName = 'manual' | 'paystack'

interface RefinedTables {
  merchants: Refine<
    'merchants',
    {
      id: MerchantId
      live_merchant_id: MerchantId | null
      mode: 'live' | 'test'
      default_state: Generated<State>
      created_at: Timestamp
    }
  >
  api_tokens: Refine<
    'api_tokens',
    {
      merchant_id: MerchantId
      id: TokenId
      scopes: Scope[]
      created_at: Timestamp
      expires_at: Timestamp | null
      revoked_at: Timestamp | null
      last_used_at: Timestamp | null
    }
  >
  users: Refine<'users', UserColumns>
  members: Refine<'members', MemberColumns>
  invitations: Refine<'invitations', InvitationColumns>
  sign_in_links: Refine<'sign_in_links', SignInLinkColumns>
  sessions: Refine<'sessions', SessionColumns>
  passkeys: Refine<'passkeys', { user_id: UserId; created_at: Timestamp; last_used_at: Timestamp | null }>
  passkey_challenges: Refine<'passkey_challenges', { session_id: SessionId | null; expires_at: Timestamp }>
  sign_in_failures: Refine<'sign_in_failures', { last_failed_at: Timestamp }>
  known_devices: Refine<'known_devices', { user_id: UserId; created_at: Timestamp; last_used_at: Timestamp }>
  notifications: Refine<'notifications', NotificationColumns>
  notification_preferences: Refine<'notification_preferences', NotificationPreferenceColumns>
  notification_mails: Refine<'notification_mails', NotificationMailColumns>
  submitted_forms: Refine<'submitted_forms', { session_id: SessionId; submitted_at: Timestamp }>
  products: Refine<
    'products',
    {
      merchant_id: MerchantId
      id: ProductId
      status: ProductStatus
      skus: Computed<string>
      published_at: Timestamp | null
      archived_at: Timestamp | null
      created_at: Timestamp
      updated_at: Timestamp
    }
  >
  product_variants: Refine<
    'product_variants',
    {
      merchant_id: MerchantId
      id: VariantId
      product_id: ProductId
      price_kobo: Kobo
      compare_at_price_kobo: Kobo | null
      cost_kobo: Kobo | null
      image_id: ImageId | null
      archived_at: Timestamp | null
      removed_at: Timestamp | null
      created_at: Timestamp
      updated_at: Timestamp
    }
  >
  inventory: Refine<'inventory', { merchant_id: MerchantId; variant_id: VariantId }>
  stock_movements: Refine<
    'stock_movements',
    {
      merchant_id: MerchantId
      id: MovementId
      variant_id: VariantId
      reason: MovementReason
      order_id: OrderId | null
      refund_id: RefundId | null
      created_at: Timestamp
    }
  >
  customers: Refine<
    'customers',
    {
      merchant_id: MerchantId
      id: CustomerId
      default_address_id: AddressId | null
      status: Generated<CustomerStatus>
      created_at: Timestamp
      updated_at: Timestamp
    }
  >
  customer_addresses: Refine<
    'customer_addresses',
    {
      merchant_id: MerchantId
      customer_id: CustomerId
      id: AddressId
      state: State
      created_at: Timestamp
      updated_at: Timestamp
    }
  >
  orders: Refine<'orders', OrderColumns>
  order_items: Refine<'order_items', OrderItemColumns>
  discounts: Refine<
    'discounts',
    {
      merchant_id: MerchantId
      id: DiscountId
      type: DiscountType
      amount_kobo: Kobo | null
      max_discount_kobo: Kobo | null
      applies_to_scope: Generated<DiscountScope>
      minimum_subtotal_kobo: Kobo | null
      starts_at: Timestamp
      ends_at: Timestamp | null
      customer_ids: CustomerId[] | null
      combines_with: Generated<DiscountClass[]>
      status: Generated<DiscountStatus>
      created_at: Timestamp
      updated_at: Timestamp
    }
  >
  discount_redemptions: Refine<
    'discount_redemptions',
    {
      merchant_id: MerchantId
      id: RedemptionId
      discount_id: DiscountId
      order_id: OrderId
      amount_kobo: Kobo
      customer_id: CustomerId | null
      created_at: Timestamp
      released_at: Timestamp | null
    }
  >
  order_discounts: Refine<
    'order_discounts',
    { merchant_id: MerchantId; order_id: OrderId; discount_id: DiscountId; type: DiscountType; amount_kobo: Kobo }
  >
  payments: Refine<
    'payments',
    {
      merchant_id: MerchantId
      id: PaymentId
      order_id: OrderId
      method: PaymentMethod
      provider: Generated<PaymentProviderName>
      amount_kobo: Kobo
      paid_at: Timestamp
      disputed_at: Timestamp | null
      dispute_lost_kobo: Generated<Kobo>
      voided_at: Timestamp | null
      void_reason: VoidReason | null
      created_at: Timestamp
    }
  >
  payment_disputes: Refine<'payment_disputes', PaymentDisputeColumns>
  unmatched_disputes: Refine<'unmatched_disputes', UnmatchedDisputeColumns>
  refunds: Refine<
    'refunds',
    {
      merchant_id: MerchantId
      id: RefundId
      order_id: OrderId
      payment_id: PaymentId | null
      status: RefundStatus
      destination: RefundDestination
      provider: PaymentProviderName
      submitted_at: Timestamp | null
      not_found_since: Timestamp | null
      next_check_at: Timestamp | null
      expected_at: Timestamp | null
      amount_kobo: Kobo
      tax_kobo: Generated<Kobo>
      order_refunded_kobo: Kobo
      order_refundable_kobo: Kobo
      order_payment_status: PaymentStatus
      created_at: Timestamp
      updated_at: Timestamp
      succeeded_at: Timestamp | null
      failed_at: Timestamp | null
    }
  >
  refund_items: Refine<
    'refund_items',
    { merchant_id: MerchantId; refund_id: RefundId; order_id: OrderId; item_id: OrderItemId; amount_kobo: Kobo }
  >
  payment_provider_keys: Refine<
    'payment_provider_keys',
    { merchant_id: MerchantId; provider: 'paystack'; created_at: Timestamp; updated_at: Timestamp }
  >
  carrier_accounts: Refine<
    'carrier_accounts',
    {
      merchant_id: MerchantId
      carrier: 'chowdeck' | 'fez' | 'shipbubble'
      created_at: Timestamp
      updated_at: Timestamp
    }
  >
  provider_callbacks: Refine<
    'provider_callbacks',
    {
      merchant_id: MerchantId
      provider: 'paystack'
      received_at: Timestamp
      next_attempt_at: Timestamp | null
      processed_at: Timestamp | null
      outcome: 'applied' | 'ignored' | null
    }
  >
  surge_states: Refine<'surge_states', SurgeStateColumns>
  surge_snapshots: Refine<'surge_snapshots', SurgeSnapshotColumns>
  surge_overrides: Refine<'surge_overrides', SurgeOverrideColumns>
  delivery_zones: Refine<'delivery_zones', ZoneColumns & { boundary_status: Generated<BoundaryStatus> }>
  carrier_callbacks: Refine<
    'carrier_callbacks',
    {
      merchant_id: MerchantId
      received_at: Timestamp
      next_attempt_at: Timestamp | null
      processed_at: Timestamp | null
      outcome: 'applied' | 'ignored' | 'hint' | 'failed' | null
    }
  >
  webhook_endpoints: Refine<'webhook_endpoints', WebhookEndpointColumns>
  webhook_secrets: Refine<'webhook_secrets', WebhookSecretColumns>
  webhook_subscriptions: Refine<'webhook_subscriptions', WebhookSubscriptionColumns>
  webhook_events: Refine<'webhook_events', WebhookEventColumns>
  webhook_deliveries: Refine<'webhook_deliveries', WebhookDeliveryColumns>
  webhook_leases: Refine<'webhook_leases', WebhookLeaseColumns>
  webhook_bulk_replays: Refine<'webhook_bulk_replays', BulkReplayColumns & { status: Generated<BulkReplayStatus> }>
  request_log: Refine<'request_log', RequestLogColumns>
  request_counts: Refine<'request_counts', RequestCountsColumns>
  logistics_observations: Refine<'logistics_observations', { merchant_id: MerchantId; recorded_at: Timestamp }>
  schedule_predictions: Refine<
    'schedule_predictions',
    {
      merchant_id: MerchantId
      id: ScheduleId
      shipment_id: ShipmentId
      made_at: Timestamp
      dispatch_at: Timestamp
    }
  >
  webhook_attempts: Refine<'webhook_attempts', WebhookAttemptColumns>
  simulated_orders: Refine<'simulated_orders', SimulatedOrderColumns>
  simulated_payments: Refine<'simulated_payments', SimulatedPaymentColumns>
  simulated_refunds: Refine<'simulated_refunds', SimulatedRefundColumns>
  simulated_payment_callbacks: Refine<'simulated_payment_callbacks', SimulatedPaymentCallbackColumns>
}

export type Tables = Omit<GeneratedTables, keyof RefinedTables> & RefinedTables
