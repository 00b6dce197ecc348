import type { Generated } from 'kysely'
import type {
  FulfillmentStatus,
  OrderSource,
  OrderStatus,
  PaymentMethod,
  PaymentStatus,
} from '../../../registry/orders/order-states.ts'
import type {
  CustomerId,
  Kobo,
  MerchantId,
  OrderId,
  OrderItemId,
  ProductId,
  Timestamp,
  VariantId,
} from '../../../registry/values/vocabulary.ts'
import type { Computed } from './computed.ts'

/** The columns of the order tables whose TypeScript types are narrower than their database types. */

export interface OrderColumns {
  merchant_id: MerchantId
  id: OrderId
  status: OrderStatus
  held_from: OrderStatus | null
  customer_id: CustomerId | null
  payment_method: PaymentMethod
  payment_status: Computed<PaymentStatus>
  fulfillment_status: Computed<FulfillmentStatus>
  source: Generated<OrderSource>
  subtotal_kobo: Kobo
  discount_kobo: Generated<Kobo>
  shipping_kobo: Generated<Kobo>
  tax_kobo: Generated<Kobo>
  total_kobo: Kobo
  paid_kobo: Generated<Kobo>
  refunded_kobo: Generated<Kobo>
  refund_pending_kobo: Generated<Kobo>
  refunded_tax_kobo: Generated<Kobo>
  provider_paid_kobo: Generated<Kobo>
  expires_at: Timestamp | null
  confirmed_at: Timestamp | null
  paid_at: Timestamp | null
  shipped_at: Timestamp | null
  delivered_at: Timestamp | null
  cancelled_at: Timestamp | null
  returned_at: Timestamp | null
  created_at: Timestamp
  updated_at: Timestamp
}

export interface OrderItemColumns {
  merchant_id: MerchantId
  order_id: OrderId
  id: OrderItemId
  product_id: ProductId | null
  variant_id: VariantId | null
  unit_price_kobo: Kobo
  subtotal_kobo: Kobo
  total_kobo: Kobo
}
