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
  merchantId: MerchantId
  id: OrderId
  status: OrderStatus
  heldFrom: OrderStatus | null
  customerId: CustomerId | null
  paymentMethod: PaymentMethod
  paymentStatus: Computed<PaymentStatus>
  fulfillmentStatus: Computed<FulfillmentStatus>
  source: Generated<OrderSource>
  subtotalKobo: Kobo
  discountKobo: Generated<Kobo>
  shippingKobo: Generated<Kobo>
  taxKobo: Generated<Kobo>
  totalKobo: Kobo
  paidKobo: Generated<Kobo>
  refundedKobo: Generated<Kobo>
  refundPendingKobo: Generated<Kobo>
  refundedTaxKobo: Generated<Kobo>
  providerPaidKobo: Generated<Kobo>
  expiresAt: Timestamp | null
  confirmedAt: Timestamp | null
  paidAt: Timestamp | null
  shippedAt: Timestamp | null
  deliveredAt: Timestamp | null
  cancelledAt: Timestamp | null
  returnedAt: Timestamp | null
  createdAt: Timestamp
  updatedAt: Timestamp
}

export interface OrderItemColumns {
  merchantId: MerchantId
  orderId: OrderId
  id: OrderItemId
  productId: ProductId | null
  variantId: VariantId | null
  unitPriceKobo: Kobo
  subtotalKobo: Kobo
  totalKobo: Kobo
}
