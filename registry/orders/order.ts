import { z } from 'zod'
import { ShippedItems } from '../logistics/shipment-item.ts'
import { Address } from '../values/address.ts'
import { Phone } from '../values/phone.ts'
import { impersonalText, personalText } from '../values/privacy.ts'
import { readable } from '../values/readable-text.ts'
import {
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
  ProductId,
  ReturnId,
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
  z.enum(orderStatuses).meta({ description: 'Status of the order. More values may be added.' }),
)
export const PaymentStatus = named(
  'PaymentStatus',
  z.enum(paymentStatuses).meta({ description: 'Payment status of the order, derived from its payments and refunds.' }),
)
const FulfillmentStatus = named(
  'FulfillmentStatus',
  z.enum(fulfillmentStatuses).meta({
    description:
      'Fulfilment status of the order, derived from its fulfilled and returned units. An order with the status `returned` has the value `returned`, even if some of its units were lost or refunded.',
  }),
)
export const PaymentMethod = named('PaymentMethod', z.enum(paymentMethods).meta({ description: 'Payment method.' }))
export const OrderSource = named(
  'OrderSource',
  z.enum(orderSources).meta({ description: 'Sales channel of the order.' }),
)

export const customerName = text('Name of the customer.', { isPersonal: true, max: 120, example: 'Adaeze Okafor' })
export const externalReference = text('Your own reference for the order. Unique per merchant.', {
  isPersonal: false,
  max: 100,
  example: 'shop-10042',
})
export const note = text('Internal note.', {
  isPersonal: true,
  max: 1000,
  lines: 'many',
  example: 'Gift: leave out the receipt.',
})
export const customerNote = text('Note from the customer.', {
  isPersonal: true,
  max: 1000,
  lines: 'many',
  example: 'Call when you are at the gate.',
})
export const cancelNote = text('Note about the cancellation.', {
  isPersonal: true,
  max: 500,
  lines: 'many',
  example: 'Ordered the wrong size.',
})
export const tags = z
  .array(readable(personalText().min(1).max(40)))
  .max(20)
  .meta({ description: 'Free-form tags.', examples: [['wholesale']] })

/** Fields of an order in a list. Together with `customer`, they are exactly the seven fields of spec 2. */
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
      .meta({ description: 'Customer data at the time when the order was created.' }),
  }),
)

export type OrderSummary = z.output<typeof OrderSummary>

export const OrderItem = named(
  'OrderItem',
  z.object({
    id: OrderItemId,
    productId: nullable(ProductId).meta({
      description: 'Identifier of the product. Null after the product was deleted.',
    }),
    variantId: nullable(VariantId).meta({
      description: 'Identifier of the variant. Null after the variant was deleted.',
    }),
    sku: text('Stock keeping unit (SKU) of the variant at the time when the order was created.', {
      isPersonal: false,
      max: 100,
      example: 'ANK-MAX-M-IND',
    }),
    title: text('Title of the product at the time when the order was created.', {
      isPersonal: false,
      max: 200,
      example: 'Ankara maxi dress',
    }),
    variantTitle: impersonalText()
      .max(200)
      .meta({ description: 'Title of the variant at the time when the order was created.', examples: ['M / Indigo'] }),
    optionValues: z
      .record(z.string(), impersonalText())
      .meta({ description: 'Option values of the variant.', examples: [{ size: 'M', colour: 'Indigo' }] }),
    imageUrl: nullable(impersonalText()).meta({
      description: 'URL of the variant’s image at the time when the order was created. Null without an image.',
    }),
    quantity: z
      .int()
      .min(1)
      .meta({ description: 'Ordered units.', examples: [1] }),
    fulfilledQuantity: z
      .int()
      .min(0)
      .meta({ description: 'Number of units of the item that were handed over.', examples: [0] }),
    returnedQuantity: z
      .int()
      .min(0)
      .meta({ description: 'Units returned.', examples: [0] }),
    cancelledQuantity: z
      .int()
      .min(0)
      .meta({
        description:
          'Number of units of the item that were cancelled before they were handed over. Cancelled units are not shipped.',
        examples: [0],
      }),
    refundedQuantity: z
      .int()
      .min(0)
      .meta({
        description:
          'Number of units of the item in refunds that contain items. A refund that has only an amount contains no units.',
        examples: [0],
      }),
    unitPriceKobo: kobo('Price of one unit.'),
    compareAtPriceKobo: nullable(kobo('Regular price of one unit, while it is sold at a lower price.')).meta({
      description: 'Regular price of one unit, in kobo, if the unit is sold at a lower price. Null otherwise.',
    }),
    subtotalKobo: kobo('Unit price multiplied by the quantity of the item.'),
    discountKobo: kobo('Part of the discounts of the order that applies to the item.', { example: 0 }),
    taxRateBps: z
      .int()
      .min(0)
      .max(10000)
      .meta({ description: 'VAT rate in basis points.', examples: [750] }),
    taxKobo: kobo('VAT on all units of the item.', { example: 104651 }),
    totalKobo: kobo('Total of the item, after discounts and with VAT.'),
  }),
)

export type OrderItem = z.output<typeof OrderItem>

/** Fields of an applied discount that orders and order previews have in common. */
export const appliedDiscount = {
  discountId: DiscountId,
  code: impersonalText().meta({ description: 'Discount code, in upper case.', examples: ['DETTY10'] }),
  type: impersonalText().meta({ description: 'Type of the discount.', examples: ['percentage'] }),
  amountKobo: kobo('Amount of the discount.'),
}

const nullableTime = (description: string) => nullable(timestamp(description)).meta({ description })

/** Amounts that orders and order previews have in common, except for the total. */
export const orderTotals = {
  subtotalKobo: kobo('Sum of the item prices before discounts.'),
  discountKobo: kobo('Sum of all discounts of the order, including those on shipping.', { example: 0 }),
  shippingKobo: kobo('Shipping price before discounts.', { example: 250000 }),
  taxKobo: kobo('VAT on the order, which is included in the prices or added to them.', { example: 104651 }),
  taxInclusive: z.boolean().meta({ description: 'Whether prices include VAT.', examples: [true] }),
  taxRateBps: z
    .int()
    .min(0)
    .max(10000)
    .meta({ description: 'VAT rate in basis points; 0 without VAT.', examples: [750] }),
}

export const Order = named(
  'Order',
  z
    .object({
      ...orderRow,
      version: z
        .int()
        .min(1)
        .meta({
          description:
            'Version of the order, incremented with each change. Compare the versions in events to ignore events that arrive out of order.',
          examples: [3],
        }),
      paymentStatus: PaymentStatus,
      fulfillmentStatus: FulfillmentStatus,
      paymentMethod: PaymentMethod,
      receiptNumber: nullable(
        z
          .int()
          .min(1)
          .meta({ description: 'Number of the receipt of the order.', examples: [42] }),
      ).meta({
        description:
          'Number of the receipt of the order, assigned when the payments first cover the total; null until then. The receipt numbers of a merchant start at 1 and have no gaps. A later refund, void or edit does not change the number.',
      }),
      customer: z
        .object({
          id: nullable(CustomerId).meta({
            description: 'Identifier of the customer. Null if the customer was deleted.',
          }),
          name: customerName,
          email: Email,
          phone: nullable(Phone).meta({ description: 'Phone number of the customer.' }),
        })
        .meta({ description: 'Customer data at the time when the order was created.' }),
      items: z.array(OrderItem).meta({ description: 'Items of the order, in the sequence of the request.' }),
      ...orderTotals,
      paidKobo: kobo('Sum of the payments for the order.'),
      refundedKobo: kobo('Sum of the successful refunds of the order.', { example: 0 }),
      refundPendingKobo: kobo('Sum of the refunds in progress for the order.', { example: 0 }),
      refundableKobo: kobo('Amount of the order that can still be refunded, excluding disputed payments.'),
      balanceKobo: signedKobo('Amount that is still due for the order. Negative after an overpayment.'),
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
                          description: 'Identifier of the discounted order item, or `shipping`.',
                          examples: ['itm_01jd3f8q6hf5n8v1zr4c7e2m9k'],
                        }),
                      amountKobo: kobo('Part of the discount that applies to the item or to shipping.'),
                    }),
                  ),
                )
                .meta({
                  description:
                    'Allocation of the discount to items and shipping. The sum of the allocated amounts is `amountKobo`.',
                }),
            }),
          ),
        )
        .meta({ description: 'Applied discounts, in the sequence in which they were applied.' }),
      shippingAddress: nullable(Address),
      billingAddress: nullable(Address),
      shipments: z
        .array(
          named(
            'OrderShipment',
            z.object({
              id: ShipmentId,
              status: impersonalText().meta({
                description: 'Status of a shipment of the order.',
                examples: ['picked_up'],
              }),
              items: ShippedItems,
              trackingUrl: nullable(personalText()).meta({
                description: 'URL of the tracking page of the shipment. Null if there is no such page.',
              }),
            }),
          ),
        )
        .meta({ description: 'Shipments of the order.' }),
      note: nullable(note).meta({ description: 'Internal note about the order. Null without a note.' }),
      customerNote: nullable(customerNote).meta({ description: 'Note from the customer. Null without a note.' }),
      tags,
      externalReference: nullable(externalReference).meta({
        description: 'Your own reference for the order. Null without a reference.',
      }),
      exchangeOfReturnId: nullable(ReturnId).meta({
        description: 'Identifier of the return whose units the order replaces. Null for other orders.',
      }),
      expiresAt: nullableTime(
        'Time by which the order must be paid. At this time, an unpaid order is cancelled. An order that is paid only in part is not cancelled, but ' +
          'the merchant is notified. Null if the order does not expire.',
      ),
      cancelReason: nullable(z.enum(cancelReasons)).meta({
        description: 'Reason for the cancellation of the order. Null unless the order is cancelled.',
      }),
      cancelNote: nullable(cancelNote).meta({
        description: 'Note about the cancellation of the order. Null without a note.',
      }),
      source: OrderSource,
      allowedTransitions: z
        .array(OrderStatus)
        .meta({ description: 'Statuses to which the order can change from its current status.' }),
      confirmedAt: nullableTime('When the order became `processing`. Null until then.'),
      paidAt: nullableTime('When the payments first covered the total of the order. Null until then.'),
      shippedAt: nullableTime('When the order became `shipped`. Null until then.'),
      deliveredAt: nullableTime('When the order became `delivered`. Null until then.'),
      cancelledAt: nullableTime('When the order became `cancelled`. Null until then.'),
      returnedAt: nullableTime('When the order became `returned`. Null until then.'),
      updatedAt: timestamp('When the order last changed.'),
      metadata: Metadata,
    })
    .meta({ description: 'Order of a customer, with its items and totals.' }),
)

export type Order = z.output<typeof Order>
