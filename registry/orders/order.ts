import { z } from 'zod'
import { ShippedItems } from '../logistics/shipment-item.ts'
import { impersonalText, personalText } from '../values/privacy.ts'
import { readable } from '../values/readable-text.ts'
import {
  Address,
  Currency,
  CustomerId,
  DiscountId,
  Email,
  kobo,
  Metadata,
  named,
  nullable,
  OrderId,
  OrderItemId,
  orderNumber,
  Phone,
  ProductId,
  ShipmentId,
  signedKobo,
  text,
  timestamp,
  VariantId,
} from '../values/vocabulary.ts'
import {
  cancelReasons,
  fulfillmentStatuses,
  orderSources,
  orderStatuses,
  paymentMethods,
  paymentStatuses,
} from './order-states.ts'

export const OrderStatus = named(
  'OrderStatus',
  z.enum(orderStatuses).meta({ description: 'Where the order is in its life. More values may be added.' }),
)
export const PaymentStatus = named(
  'PaymentStatus',
  z.enum(paymentStatuses).meta({ description: 'What the recorded payments and refunds add up to.' }),
)
const FulfillmentStatus = named(
  'FulfillmentStatus',
  z.enum(fulfillmentStatuses).meta({ description: 'How much of the order was handed over or came back.' }),
)
export const PaymentMethod = named(
  'PaymentMethod',
  z.enum(paymentMethods).meta({ description: 'How the money comes.' }),
)
export const OrderSource = named(
  'OrderSource',
  z.enum(orderSources).meta({ description: 'Where the order was taken.' }),
)

export const customerName = text('Name of the customer.', { isPersonal: true, max: 120, example: 'Adaeze Okafor' })
export const externalReference = text('The integrator’s own name for the order; unique per merchant.', {
  isPersonal: false,
  max: 100,
  example: 'shop-10042',
})
export const note = text('A note among staff.', {
  isPersonal: true,
  max: 1000,
  lines: 'many',
  example: 'Gift: leave out the receipt.',
})
export const customerNote = text('What the customer wrote.', {
  isPersonal: true,
  max: 1000,
  lines: 'many',
  example: 'Call when you are at the gate.',
})
export const cancelNote = text('Why the order was cancelled, in words.', {
  isPersonal: true,
  max: 500,
  lines: 'many',
  example: 'Ordered the wrong size.',
})
export const tags = z
  .array(readable(personalText().min(1).max(40)))
  .max(20)
  .meta({ description: 'Free labels.', examples: [['wholesale']] })

/** Spec 2: exactly these seven fields in a list. */
const orderRow = {
  id: OrderId,
  number: orderNumber,
  status: OrderStatus,
  totalKobo: kobo('Total of the order.'),
  currency: Currency,
  createdAt: timestamp('When the order was created.'),
}

export const OrderSummary = named(
  'OrderSummary',
  z.object({
    ...orderRow,
    customer: z
      .object({ name: customerName, email: Email })
      .meta({ description: 'The customer as they were when the order was created.' }),
  }),
)

export type OrderSummary = z.output<typeof OrderSummary>

export const OrderItem = named(
  'OrderItem',
  z.object({
    id: OrderItemId,
    productId: nullable(ProductId).meta({ description: 'The product; null once it is deleted.' }),
    variantId: nullable(VariantId).meta({ description: 'The variant; null once it is deleted.' }),
    sku: text('Stock keeping unit when ordered.', { isPersonal: false, max: 100, example: 'ANK-MAX-M-IND' }),
    title: text('Title of the product when ordered.', { isPersonal: false, max: 200, example: 'Ankara maxi dress' }),
    variantTitle: impersonalText()
      .max(200)
      .meta({ description: 'The variant when ordered.', examples: ['M / Indigo'] }),
    optionValues: z
      .record(z.string(), impersonalText())
      .meta({ description: 'The options that make the variant.', examples: [{ size: 'M', colour: 'Indigo' }] }),
    imageUrl: nullable(impersonalText()).meta({ description: 'Picture of the variant when ordered.' }),
    quantity: z
      .int()
      .min(1)
      .meta({ description: 'Pieces ordered.', examples: [1] }),
    fulfilledQuantity: z
      .int()
      .min(0)
      .meta({ description: 'Pieces handed over.', examples: [0] }),
    returnedQuantity: z
      .int()
      .min(0)
      .meta({ description: 'Pieces that came back.', examples: [0] }),
    cancelledQuantity: z
      .int()
      .min(0)
      .meta({ description: 'Pieces taken back before they were handed over: they are not to be sent.', examples: [0] }),
    refundedQuantity: z
      .int()
      .min(0)
      .meta({ description: 'Pieces refunded by line.', examples: [0] }),
    unitPriceKobo: kobo('Price of one piece.'),
    compareAtPriceKobo: nullable(kobo('Price before a sale.')).meta({ description: 'Price before a sale, in kobo.' }),
    subtotalKobo: kobo('Unit price times quantity.'),
    discountKobo: kobo('The line’s share of the discounts.', { example: 0 }),
    taxRateBps: z
      .int()
      .min(0)
      .max(10000)
      .meta({ description: 'VAT in basis points.', examples: [750] }),
    taxKobo: kobo('VAT of the line.', { example: 104651 }),
    totalKobo: kobo('What the line costs.'),
  }),
)

export type OrderItem = z.output<typeof OrderItem>

/** What an order and its preview tell alike of a discount. */
export const appliedDiscount = {
  discountId: DiscountId,
  code: impersonalText().meta({ description: 'Its code, in capitals.', examples: ['DETTY10'] }),
  type: impersonalText().meta({ description: 'What kind of discount it is.', examples: ['percentage'] }),
  amountKobo: kobo('What it took off.'),
}

const nullableMoment = (description: string) => nullable(timestamp(description)).meta({ description })

/** What an order, or the preview of one, adds up to beside its total. */
export const orderTotals = {
  subtotalKobo: kobo('Sum of the lines before discounts.'),
  discountKobo: kobo('Sum of the discounts, with what they take off shipping.', { example: 0 }),
  shippingKobo: kobo('Price of shipping before discounts.', { example: 250000 }),
  taxKobo: kobo('VAT contained in or added to the total.', { example: 104651 }),
  taxInclusive: z.boolean().meta({ description: 'Whether prices contain the VAT.', examples: [true] }),
  taxRateBps: z
    .int()
    .min(0)
    .max(10000)
    .meta({ description: 'VAT in basis points; 0 when none is charged.', examples: [750] }),
}

export const Order = named(
  'Order',
  z
    .object({
      ...orderRow,
      version: z
        .int()
        .min(1)
        .meta({ description: 'Counts the changes of the order; compare it to drop stale news.', examples: [3] }),
      paymentStatus: PaymentStatus,
      fulfillmentStatus: FulfillmentStatus,
      paymentMethod: PaymentMethod,
      customer: z
        .object({
          id: nullable(CustomerId).meta({ description: 'The customer’s record; null once it is deleted.' }),
          name: customerName,
          email: Email,
          phone: nullable(Phone).meta({ description: 'Phone number of the customer.' }),
        })
        .meta({ description: 'The customer as they were when the order was created.' }),
      items: z.array(OrderItem).meta({ description: 'The lines, in the order they were sent.' }),
      ...orderTotals,
      paidKobo: kobo('Sum of the payments.'),
      refundedKobo: kobo('Sum of the refunds that succeeded.', { example: 0 }),
      refundPendingKobo: kobo('Sum of the refunds under way.', { example: 0 }),
      refundableKobo: kobo('What can still be refunded. Disputed money does not count.'),
      balanceKobo: signedKobo('What is still owed; negative after an overpayment.'),
      discounts: z
        .array(
          named(
            'OrderDiscount',
            z.object({
              ...appliedDiscount,
              allocations: z
                .array(
                  named(
                    'DiscountAllocation',
                    z.object({
                      itemId: impersonalText()
                        .regex(/^(itm_[0-9a-z]{26}|shipping)$/)
                        .meta({
                          description: 'The line, or `shipping`.',
                          examples: ['itm_01jd3f8q6hf5n8v1zr4c7e2m9k'],
                        }),
                      amountKobo: kobo('What it took off that.'),
                    }),
                  ),
                )
                .meta({ description: 'What it took off each line and shipping: together exactly `amountKobo`.' }),
            }),
          ),
        )
        .meta({ description: 'The discounts applied, in the order in which they were taken off.' }),
      shippingAddress: nullable(Address),
      billingAddress: nullable(Address),
      shipments: z
        .array(
          named(
            'OrderShipment',
            z.object({
              id: ShipmentId,
              status: impersonalText().meta({ description: 'Where the shipment is.', examples: ['picked_up'] }),
              items: ShippedItems,
              trackingUrl: nullable(personalText()).meta({ description: 'Page on which it can be followed.' }),
            }),
          ),
        )
        .meta({ description: 'The shipments of the order.' }),
      note: nullable(note).meta({ description: 'A note among staff.' }),
      customerNote: nullable(customerNote).meta({ description: 'What the customer wrote.' }),
      tags,
      externalReference: nullable(externalReference).meta({ description: 'The integrator’s own name for the order.' }),
      expiresAt: nullableMoment('When the order is cancelled unless it is paid; null when it never is.'),
      cancelReason: nullable(z.enum(cancelReasons)).meta({ description: 'Why the order was cancelled.' }),
      cancelNote: nullable(cancelNote).meta({ description: 'Why the order was cancelled, in words.' }),
      source: OrderSource,
      allowedTransitions: z.array(OrderStatus).meta({ description: 'The states the order can move to now.' }),
      confirmedAt: nullableMoment('When it became `processing`.'),
      paidAt: nullableMoment('When the payments first covered the total.'),
      shippedAt: nullableMoment('When it became `shipped`.'),
      deliveredAt: nullableMoment('When it became `delivered`.'),
      cancelledAt: nullableMoment('When it became `cancelled`.'),
      returnedAt: nullableMoment('When it became `returned`.'),
      updatedAt: timestamp('When it last changed.'),
      metadata: Metadata,
    })
    .meta({ description: 'An order with its lines and totals.' }),
)

export type Order = z.output<typeof Order>
