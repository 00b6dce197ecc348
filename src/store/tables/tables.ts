import type { Generated, Tables as GeneratedTables } from '../../../generated/database.ts'
import type { CustomerStatus } from '../../../registry/customers/customer.ts'
import type { BoundaryStatus } from '../../../registry/logistics/zones.ts'
import type { PaymentMethod, PaymentStatus, VoidReason } from '../../../registry/orders/order-states.ts'
import type { MovementReason } from '../../../registry/products/inventory.ts'
import type { ProductStatus } from '../../../registry/products/product-states.ts'
import type { RefundDestination, RefundStatus } from '../../../registry/refunds/refund-states.ts'
import type { ConnectableCarrier } from '../../../registry/values/carriers.ts'
import type {
  DiscountClass,
  DiscountScope,
  DiscountStatus,
  DiscountType,
} from '../../../registry/values/discount-terms.ts'
import type { PaymentProviderName } from '../../../registry/values/payment-providers.ts'
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

/** The provider of a payment or refund. `manual`: the merchant receives and refunds the payment outside the service. */
export type ProviderOrManual = PaymentProviderName | 'manual'

interface RefinedTables {
  merchants: Refine<
    'merchants',
    {
      id: MerchantId
      liveMerchantId: MerchantId | null
      mode: 'live' | 'test'
      defaultState: Generated<State>
      createdAt: Timestamp
    }
  >
  api_tokens: Refine<
    'api_tokens',
    {
      merchantId: MerchantId
      id: TokenId
      scopes: Scope[]
      createdAt: Timestamp
      expiresAt: Timestamp | null
      revokedAt: Timestamp | null
      lastUsedAt: Timestamp | null
    }
  >
  users: Refine<'users', UserColumns>
  members: Refine<'members', MemberColumns>
  invitations: Refine<'invitations', InvitationColumns>
  sign_in_links: Refine<'sign_in_links', SignInLinkColumns>
  sessions: Refine<'sessions', SessionColumns>
  passkeys: Refine<'passkeys', { userId: UserId; createdAt: Timestamp; lastUsedAt: Timestamp | null }>
  passkey_challenges: Refine<'passkey_challenges', { sessionId: SessionId | null; expiresAt: Timestamp }>
  sign_in_failures: Refine<'sign_in_failures', { lastFailedAt: Timestamp }>
  known_devices: Refine<'known_devices', { userId: UserId; createdAt: Timestamp; lastUsedAt: Timestamp }>
  notifications: Refine<'notifications', NotificationColumns>
  notification_preferences: Refine<'notification_preferences', NotificationPreferenceColumns>
  notification_mails: Refine<'notification_mails', NotificationMailColumns>
  submitted_forms: Refine<'submitted_forms', { sessionId: SessionId; submittedAt: Timestamp }>
  products: Refine<
    'products',
    {
      merchantId: MerchantId
      id: ProductId
      status: ProductStatus
      skus: Computed<string>
      publishedAt: Timestamp | null
      archivedAt: Timestamp | null
      createdAt: Timestamp
      updatedAt: Timestamp
    }
  >
  product_variants: Refine<
    'product_variants',
    {
      merchantId: MerchantId
      id: VariantId
      productId: ProductId
      priceKobo: Kobo
      compareAtPriceKobo: Kobo | null
      costKobo: Kobo | null
      imageId: ImageId | null
      archivedAt: Timestamp | null
      removedAt: Timestamp | null
      createdAt: Timestamp
      updatedAt: Timestamp
    }
  >
  inventory: Refine<'inventory', { merchantId: MerchantId; variantId: VariantId }>
  stock_movements: Refine<
    'stock_movements',
    {
      merchantId: MerchantId
      id: MovementId
      variantId: VariantId
      reason: MovementReason
      orderId: OrderId | null
      refundId: RefundId | null
      createdAt: Timestamp
    }
  >
  customers: Refine<
    'customers',
    {
      merchantId: MerchantId
      id: CustomerId
      defaultAddressId: AddressId | null
      status: Generated<CustomerStatus>
      createdAt: Timestamp
      updatedAt: Timestamp
    }
  >
  customer_addresses: Refine<
    'customer_addresses',
    {
      merchantId: MerchantId
      customerId: CustomerId
      id: AddressId
      state: State
      createdAt: Timestamp
      updatedAt: Timestamp
    }
  >
  orders: Refine<'orders', OrderColumns>
  order_items: Refine<'order_items', OrderItemColumns>
  discounts: Refine<
    'discounts',
    {
      merchantId: MerchantId
      id: DiscountId
      type: DiscountType
      amountKobo: Kobo | null
      maxDiscountKobo: Kobo | null
      appliesToScope: Generated<DiscountScope>
      minimumSubtotalKobo: Kobo | null
      startsAt: Timestamp
      endsAt: Timestamp | null
      customerIds: CustomerId[] | null
      combinesWith: Generated<DiscountClass[]>
      status: Generated<DiscountStatus>
      createdAt: Timestamp
      updatedAt: Timestamp
    }
  >
  discount_redemptions: Refine<
    'discount_redemptions',
    {
      merchantId: MerchantId
      id: RedemptionId
      discountId: DiscountId
      orderId: OrderId
      amountKobo: Kobo
      customerId: CustomerId | null
      createdAt: Timestamp
      releasedAt: Timestamp | null
    }
  >
  order_discounts: Refine<
    'order_discounts',
    { merchantId: MerchantId; orderId: OrderId; discountId: DiscountId; type: DiscountType; amountKobo: Kobo }
  >
  payments: Refine<
    'payments',
    {
      merchantId: MerchantId
      id: PaymentId
      orderId: OrderId
      method: PaymentMethod
      provider: Generated<ProviderOrManual>
      amountKobo: Kobo
      paidAt: Timestamp
      disputedAt: Timestamp | null
      disputeLostKobo: Generated<Kobo>
      voidedAt: Timestamp | null
      voidReason: VoidReason | null
      createdAt: Timestamp
    }
  >
  payment_disputes: Refine<'payment_disputes', PaymentDisputeColumns>
  unmatched_disputes: Refine<'unmatched_disputes', UnmatchedDisputeColumns>
  refunds: Refine<
    'refunds',
    {
      merchantId: MerchantId
      id: RefundId
      orderId: OrderId
      paymentId: PaymentId | null
      status: RefundStatus
      destination: RefundDestination
      provider: ProviderOrManual
      submittedAt: Timestamp | null
      notFoundSince: Timestamp | null
      nextCheckAt: Timestamp | null
      expectedAt: Timestamp | null
      amountKobo: Kobo
      taxKobo: Generated<Kobo>
      orderRefundedKobo: Kobo
      orderRefundableKobo: Kobo
      orderPaymentStatus: PaymentStatus
      createdAt: Timestamp
      updatedAt: Timestamp
      succeededAt: Timestamp | null
      failedAt: Timestamp | null
    }
  >
  refund_items: Refine<
    'refund_items',
    { merchantId: MerchantId; refundId: RefundId; orderId: OrderId; itemId: OrderItemId; amountKobo: Kobo }
  >
  payment_provider_keys: Refine<
    'payment_provider_keys',
    { merchantId: MerchantId; provider: PaymentProviderName; createdAt: Timestamp; updatedAt: Timestamp }
  >
  carrier_accounts: Refine<
    'carrier_accounts',
    {
      merchantId: MerchantId
      carrier: ConnectableCarrier
      createdAt: Timestamp
      updatedAt: Timestamp
    }
  >
  provider_callbacks: Refine<
    'provider_callbacks',
    {
      merchantId: MerchantId
      provider: PaymentProviderName
      receivedAt: Timestamp
      nextAttemptAt: Timestamp | null
      processedAt: Timestamp | null
      outcome: 'applied' | 'ignored' | null
    }
  >
  surge_states: Refine<'surge_states', SurgeStateColumns>
  surge_snapshots: Refine<'surge_snapshots', SurgeSnapshotColumns>
  surge_overrides: Refine<'surge_overrides', SurgeOverrideColumns>
  delivery_zones: Refine<'delivery_zones', ZoneColumns & { boundaryStatus: Generated<BoundaryStatus> }>
  carrier_callbacks: Refine<
    'carrier_callbacks',
    {
      merchantId: MerchantId
      receivedAt: Timestamp
      nextAttemptAt: Timestamp | null
      processedAt: Timestamp | null
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
  logistics_observations: Refine<'logistics_observations', { merchantId: MerchantId; recordedAt: Timestamp }>
  schedule_predictions: Refine<
    'schedule_predictions',
    {
      merchantId: MerchantId
      id: ScheduleId
      shipmentId: ShipmentId
      madeAt: Timestamp
      dispatchAt: Timestamp
    }
  >
  webhook_attempts: Refine<'webhook_attempts', WebhookAttemptColumns>
  simulated_orders: Refine<'simulated_orders', SimulatedOrderColumns>
  simulated_payments: Refine<'simulated_payments', SimulatedPaymentColumns>
  simulated_refunds: Refine<'simulated_refunds', SimulatedRefundColumns>
  simulated_payment_callbacks: Refine<'simulated_payment_callbacks', SimulatedPaymentCallbackColumns>
}

export type Tables = Omit<GeneratedTables, keyof RefinedTables> & RefinedTables
