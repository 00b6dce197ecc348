import type { Generated, Tables as GeneratedTables } from '../../../generated/database.ts'
import type { CustomerStatus } from '../../../registry/customers/customer.ts'
import type { EventKind } from '../../../registry/kit/event.ts'
import type { RemittanceVoidReason } from '../../../registry/logistics/remittances.ts'
import type { ServiceLevel, ShipmentStatus, Vehicle } from '../../../registry/logistics/shipment-states.ts'
import type { SurgeBook, SurgeFactor, SurgeTrend, surgeBases } from '../../../registry/logistics/surge.ts'
import type { BoundaryStatus } from '../../../registry/logistics/zones.ts'
import type { CommentAuthorType } from '../../../registry/orders/comments.ts'
import type {
  FulfillmentStatus,
  OrderSource,
  OrderStatus,
  PaymentMethod,
  PaymentStatus,
  VoidReason,
} from '../../../registry/orders/order-states.ts'
import type { MovementReason } from '../../../registry/products/inventory.ts'
import type { ProductStatus } from '../../../registry/products/product-states.ts'
import type { RefundDestination, RefundStatus } from '../../../registry/refunds/refund-states.ts'
import type { ReturnReason, ReturnStatus } from '../../../registry/returns/return-states.ts'
import type { TestCarrierCode } from '../../../registry/service/test-carriers.ts'
import type { TestPaymentBehaviourName } from '../../../registry/service/test-payments.ts'
import type { SimulatedFault } from '../../../registry/service/test-phones.ts'
import type { ConnectableCarrier } from '../../../registry/values/carriers.ts'
import type {
  DiscountClass,
  DiscountScope,
  DiscountStatus,
  DiscountType,
} from '../../../registry/values/discount-terms.ts'
import type { NotificationKind } from '../../../registry/values/notifications.ts'
import type { PaymentProviderName } from '../../../registry/values/payment-providers.ts'
import type { Role } from '../../../registry/values/roles.ts'
import type { Scope } from '../../../registry/values/scopes.ts'
import type { State } from '../../../registry/values/states.ts'
import type {
  AddressId,
  CustomerId,
  DeliveryId,
  ImageId,
  Kobo,
  MerchantId,
} from '../../../registry/values/vocabulary.ts'
import type { SchedulePlan, ScheduleRequest } from './schedule.ts'
import type {
  BulkReplayStatus,
  Computed,
  DeliveryStatus,
  DisputeStatus,
  NotificationMailStatus,
  ProviderOrManual,
  ReplayableStatus,
  SessionStage,
  SignInLinkPurpose,
} from './values.ts'

/**
 * The generated table types, with narrower types for some columns, mostly unions. The compiler reports an error if the
 * database does not have a column that is named here.
 */
type Refine<
  Table extends keyof GeneratedTables,
  Columns extends { [Column in keyof Columns]: Column extends keyof GeneratedTables[Table] ? unknown : never },
> = Omit<GeneratedTables[Table], keyof Columns> & Columns

interface RefinedTables {
  merchants: Refine<'merchants', { mode: 'live' | 'test'; defaultState: Generated<State> }>
  api_tokens: Refine<'api_tokens', { scopes: Scope[] }>
  members: Refine<'members', { role: Role }>
  invitations: Refine<'invitations', { role: Role }>
  sign_in_links: Refine<'sign_in_links', { purpose: SignInLinkPurpose }>
  sessions: Refine<'sessions', { selectedMerchantId: MerchantId | null; stage: SessionStage }>
  notification_preferences: Refine<'notification_preferences', { kind: NotificationKind }>
  notification_mails: Refine<'notification_mails', { status: Generated<NotificationMailStatus> }>
  products: Refine<'products', { status: ProductStatus; skus: Computed<string> }>
  product_variants: Refine<'product_variants', { imageId: ImageId | null }>
  stock_movements: Refine<'stock_movements', { reason: MovementReason }>
  customers: Refine<'customers', { defaultAddressId: AddressId | null; status: Generated<CustomerStatus> }>
  customer_addresses: Refine<'customer_addresses', { state: State }>
  orders: Refine<
    'orders',
    {
      status: OrderStatus
      heldFrom: OrderStatus | null
      paymentMethod: PaymentMethod
      paymentStatus: Computed<PaymentStatus>
      fulfillmentStatus: Computed<FulfillmentStatus>
      source: Generated<OrderSource>
    }
  >
  discounts: Refine<
    'discounts',
    {
      type: DiscountType
      appliesToScope: Generated<DiscountScope>
      customerIds: CustomerId[] | null
      combinesWith: Generated<DiscountClass[]>
      status: Generated<DiscountStatus>
    }
  >
  order_comments: Refine<'order_comments', { authorType: CommentAuthorType }>
  order_discounts: Refine<'order_discounts', { type: DiscountType }>
  payments: Refine<
    'payments',
    { method: PaymentMethod; provider: Generated<ProviderOrManual>; voidReason: VoidReason | null }
  >
  remittances: Refine<'remittances', { voidReason: RemittanceVoidReason | null }>
  payment_disputes: Refine<'payment_disputes', { status: DisputeStatus; lostKobo: Kobo }>
  unmatched_disputes: Refine<'unmatched_disputes', { status: DisputeStatus }>
  refunds: Refine<
    'refunds',
    {
      status: RefundStatus
      destination: RefundDestination
      provider: ProviderOrManual
      orderPaymentStatus: PaymentStatus
    }
  >
  returns: Refine<'returns', { status: ReturnStatus; reason: ReturnReason }>
  payment_links: Refine<'payment_links', { provider: PaymentProviderName }>
  payment_provider_keys: Refine<'payment_provider_keys', { provider: PaymentProviderName }>
  carrier_accounts: Refine<'carrier_accounts', { carrier: ConnectableCarrier }>
  provider_callbacks: Refine<
    'provider_callbacks',
    { provider: PaymentProviderName; outcome: 'applied' | 'ignored' | null }
  >
  shipments: Refine<'shipments', { status: ShipmentStatus }>
  schedule_predictions: Refine<'schedule_predictions', { schedule: SchedulePlan; request: ScheduleRequest }>
  surge_states: Refine<'surge_states', { book: SurgeBook; baseline: object }>
  surge_snapshots: Refine<
    'surge_snapshots',
    {
      book: SurgeBook
      basis: (typeof surgeBases)[number]
      trend: SurgeTrend
      factors: readonly SurgeFactor[]
      inputs: object
    }
  >
  surge_overrides: Refine<'surge_overrides', { book: SurgeBook; kind: 'freeze' | 'override' | 'clear' }>
  delivery_zones: Refine<
    'delivery_zones',
    { state: State; serviceLevels: ServiceLevel[]; boundaryStatus: Generated<BoundaryStatus> }
  >
  carrier_callbacks: Refine<'carrier_callbacks', { outcome: 'applied' | 'ignored' | 'hint' | 'failed' | null }>
  webhook_endpoints: Refine<
    'webhook_endpoints',
    { status: Generated<'enabled' | 'disabled'>; disabledReason: 'consecutive_failures' | 'manual' | 'deleted' | null }
  >
  webhook_subscriptions: Refine<'webhook_subscriptions', { kind: EventKind }>
  webhook_events: Refine<'webhook_events', { kind: EventKind }>
  webhook_deliveries: Refine<
    'webhook_deliveries',
    { status: DeliveryStatus; trigger: Generated<'automatic' | 'replay' | 'test'>; replayOf: DeliveryId | null }
  >
  webhook_bulk_replays: Refine<
    'webhook_bulk_replays',
    { statuses: ReplayableStatus[]; lastDeliveryId: DeliveryId | null; status: Generated<BulkReplayStatus> }
  >
  webhook_attempts: Refine<'webhook_attempts', { outcome: 'succeeded' | 'failed' | 'aborted' }>
  simulated_orders: Refine<'simulated_orders', { company: TestCarrierCode; vehicle: Vehicle; fault: SimulatedFault }>
  simulated_payments: Refine<'simulated_payments', { behaviour: TestPaymentBehaviourName }>
  simulated_refunds: Refine<'simulated_refunds', { behaviour: TestPaymentBehaviourName }>
}

export type Tables = Omit<GeneratedTables, keyof RefinedTables> & RefinedTables
