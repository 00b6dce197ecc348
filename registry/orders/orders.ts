import { z } from 'zod'
import { list, read, write } from '../kit/endpoint.ts'
import { orderMoveEvents } from '../kit/event.ts'
import { changesFound, queryChoices } from '../kit/query.ts'
import { AddressInput } from '../values/address.ts'
import { lineQuantityMax, orderDiscountsMax, orderLinesMax } from '../values/limits.ts'
import { anySpelling, PhoneInput } from '../values/phone.ts'
import {
  CustomerId,
  Email,
  instant,
  kobo,
  Metadata,
  named,
  nullable,
  OrderId,
  orderNumber,
  ReturnId,
  text,
  VariantId,
} from '../values/vocabulary.ts'
import {
  customerName,
  customerNote,
  externalReference,
  note,
  Order,
  OrderSource,
  OrderSummary,
  PaymentMethod,
  tags,
} from './order.ts'
import { orderExample, orderSummaryExample } from './order-example.ts'
import { fulfillmentStatuses, orderStatuses, orderTransitions, paymentStatuses } from './order-states.ts'

export const listOrders = list({
  id: 'listOrders',
  path: '/orders',
  tag: 'Orders',
  summary: 'List orders',
  description:
    'Returns orders, newest first. Each order has only the fields that a list needs; `GET /orders/{id}` returns the whole ' +
    'order. An order must match all filters, and `q` searches the order number and the customer.',
  access: 'orders:read',
  filters: z.strictObject({
    status: queryChoices(orderStatuses, 'Returns only orders with one of these statuses.').optional(),
    paymentStatus: queryChoices(paymentStatuses, 'Returns only orders with one of these payment statuses.').optional(),
    fulfillmentStatus: queryChoices(
      fulfillmentStatuses,
      'Returns only orders with one of these fulfilment statuses.',
    ).optional(),
    createdFrom: instant('Returns only orders created at or after this time.').optional(),
    createdTo: instant('Returns only orders created before this time.').optional(),
    updatedFrom: instant(`Returns only orders changed at or after this time. ${changesFound}`).optional(),
    customerId: CustomerId.optional().meta({ description: 'Returns only orders of this customer.' }),
    customerEmail: Email.optional().meta({
      description: 'Returns only orders in which the customer data contains this e-mail address, regardless of case.',
    }),
    number: orderNumber.optional().meta({ description: 'Returns only the order with this number.' }),
    externalReference: externalReference
      .optional()
      .meta({ description: 'Returns only the order with this reference.' }),
    q: text(
      `Search text: part of the order number, or of the name, e-mail address or phone number of the customer. ${anySpelling}`,
      {
        isPersonal: true,
        min: 2,
        max: 100,
        example: 'adaeze',
      },
    ).optional(),
  }),
  refusals: ['invalid_time_range'],
  item: OrderSummary,
  pageName: 'OrderPage',
  example: orderSummaryExample,
})

export const getOrder = read({
  id: 'getOrder',
  path: '/orders/{id}',
  tag: 'Orders',
  summary: 'Get an order',
  description:
    'Returns an order with its items and totals. To detect concurrent changes, send the `ETag` of the ' +
    'response as `If-Match` when you change the order.',
  access: 'orders:read',
  params: z.strictObject({ id: OrderId }),
  refusals: ['order_not_found'],
  stateMachine: { field: 'status', transitions: orderTransitions },
  reply: { body: Order, meaning: 'The order.', example: orderExample },
})

const CustomerInput = named(
  'OrderCustomerInput',
  z
    .strictObject({
      name: customerName,
      email: Email,
      phone: PhoneInput.optional(),
    })
    .meta({ description: 'Contact data of the customer. Send either this field or `customerId`.' }),
)

const items = z
  .array(
    named(
      'OrderItemInput',
      z.strictObject({
        variantId: VariantId,
        quantity: z
          .int()
          .min(1)
          .max(lineQuantityMax)
          .meta({ description: 'Ordered units.', examples: [2] }),
        unitPriceKobo: kobo(
          'Price of one unit, overriding the catalogue price. Requires a token with the scope `products:write`.',
          { example: 1_400_000 },
        ).optional(),
      }),
    ),
  )
  .min(1)
  .max(orderLinesMax)

const discountCodes = z
  .array(text('Discount code, regardless of case.', { isPersonal: false, max: 32, example: 'DETTY10' }))
  .max(orderDiscountsMax)

interface OrderContent {
  readonly items?: readonly { readonly variantId: VariantId }[] | undefined
  readonly discountCodes?: readonly string[] | undefined
}

function requireDistinctContent(content: OrderContent, context: z.RefinementCtx): void {
  const reject = (path: (string | number)[], message: string) =>
    context.addIssue({ code: 'custom', path, message, params: { problem: 'duplicate' } })
  const variantIds = (content.items ?? []).map(({ variantId }) => variantId)
  variantIds.forEach((variantId, index) => {
    if (variantIds.indexOf(variantId) === index) return
    reject(['items', index, 'variantId'], 'Must not repeat a variant. Send each variant once, with its total quantity.')
  })
  const codes = (content.discountCodes ?? []).map((code) => code.toUpperCase())
  codes.forEach((code, index) => {
    if (codes.indexOf(code) !== index) reject(['discountCodes', index], 'Must not repeat a code.')
  })
}

export const OrderInput = named(
  'OrderInput',
  z
    .strictObject({
      customerId: CustomerId.optional().meta({
        description: 'Identifier of an existing customer. Send either this field or `customer`.',
      }),
      customer: CustomerInput.optional(),
      items: items.meta({ description: 'Items of the order. Each variant may occur only once.' }),
      shippingAddress: AddressInput.optional(),
      billingAddress: AddressInput.optional(),
      shippingKobo: kobo('Shipping price of the order. When left out, 0.', { example: 250000 }).optional(),
      discountCodes: discountCodes.optional().meta({
        description:
          'Discount codes to apply, each only once. The request is rejected if a code is not applicable. The sequence of the codes does not ' +
          'change the total: discounts of products apply first, then those of the order, then free shipping. Within each kind, ' +
          'percentages apply before fixed amounts, and equal types apply in the alphabetical order of their codes.',
        examples: [['DETTY10']],
      }),
      paymentMethod: PaymentMethod,
      note: note.optional(),
      customerNote: customerNote.optional(),
      tags: tags.optional(),
      externalReference: externalReference.optional(),
      exchangeOfReturnId: ReturnId.optional().meta({
        description:
          'Return whose units the new order replaces: the order is an exchange. The price of the returned units is credited to the order. The part of this price that exceeds the total of the order is refunded. ' +
          'Requires a token with the scope `refunds:write`. A preview ignores this field.',
      }),
      source: OrderSource.optional(),
      expectedTotalKobo: kobo('Total that you expect. The request is rejected if the total of the order differs.', {
        example: 3250000,
      }).optional(),
      metadata: Metadata.optional(),
    })
    .superRefine((order, context) => {
      if ((order.customerId === undefined) === (order.customer === undefined)) {
        const message = 'Send either `customerId` or `customer`.'
        context.addIssue({ code: 'custom', path: ['customer'], message, params: { problem: 'required' } })
      }
      requireDistinctContent(order, context)
    }),
)

export type OrderInput = z.output<typeof OrderInput>

export const createOrder = write({
  id: 'createOrder',
  path: '/orders',
  tag: 'Orders',
  summary: 'Create an order',
  description:
    'Creates an order and reserves its stock. Prices come from the catalogue. To make a repeated request safe, send ' +
    'an `externalReference`: a second order with the same reference is rejected, and the error names the first order. ' +
    'Discounts are applied by code; preview the order first to show the buyer their effect. The order starts as ' +
    '`processing` if no payment is due, or if it is paid on delivery and the merchant confirms such orders ' +
    'automatically. Every other order starts as `pending`. An order with `exchangeOfReturnId` is the exchange of a return: ' +
    'a refund of the returned order, at the price of the returned units, is credited to the new order as a payment. An exchange is possible as soon as the return is ' +
    'approved, but only once for each return.',
  access: 'orders:write',
  body: {
    schema: OrderInput,
    example: {
      customer: { name: 'Adaeze Okafor', email: 'adaeze.okafor@example.com', phone: '+2348031234567' },
      items: [{ variantId: 'var_01jd3f8q6hf5n8v1zr4c7e2m9k', quantity: 2 }],
      shippingAddress: { line1: '12 Admiralty Way', city: 'Lekki' },
      shippingKobo: 250000,
      paymentMethod: 'bank_transfer',
      externalReference: 'shop-10042',
    },
  },
  reply: { status: 201, body: Order, meaning: 'The order.', example: orderExample, location: '/orders/{id}' },
  refusals: [
    'customer_not_found',
    'customer_anonymised',
    'variant_not_found',
    'product_not_available',
    'insufficient_stock',
    'discount_not_applicable',
    'total_mismatch',
    'amount_too_large',
    'external_reference_in_use',
    'return_not_found',
    'return_not_exchangeable',
  ],
  emits: [
    'order.created',
    'inventory.low_stock',
    'order.refunded',
    'payment.recorded',
    'shipment.exception_raised',
    ...orderMoveEvents,
  ],
  audits: { action: 'order.create', resourceType: 'order' },
})

const OrderUpdate = named(
  'OrderUpdate',
  z
    .strictObject({
      note: nullable(note)
        .optional()
        .meta({ description: 'Internal note about the order. Null removes the stored note.' }),
      tags: tags.optional().meta({ description: 'Free-form tags of the order. They replace its existing tags.' }),
      metadata: Metadata.optional().meta({
        description: 'Free key-value pairs of the order. They replace its existing metadata.',
      }),
      customer: z
        .strictObject({
          name: customerName.optional(),
          email: Email.optional(),
          phone: nullable(PhoneInput)
            .optional()
            .meta({ description: 'Phone number of the customer. Null removes the stored number.' }),
        })
        .optional()
        .meta({ description: 'Contact data of the customer for this order. The customer record does not change.' }),
      shippingAddress: nullable(AddressInput)
        .optional()
        .meta({ description: 'Complete shipping address. Null if the customer collects the order.' }),
      items: items.optional().meta({
        description:
          'All items of the edited order; each variant may occur only once. An item of the order that is left out is removed. ' +
          'An item that the order already has keeps its price, and a new item has its catalogue price.',
      }),
      discountCodes: discountCodes.optional().meta({
        description:
          'All discount codes of the edited order, each only once; an empty list removes all. A code that is already on the order remains valid, even if its discount has ended or reached its ' +
          'usage limit since. When left out, the codes stay.',
        examples: [['DETTY10']],
      }),
      shippingKobo: kobo('Shipping price of the order.', { example: 250000 }).optional(),
      expectedTotalKobo: kobo(
        'Total that you expect. The request is rejected if the total of the edited order differs.',
        { example: 3250000 },
      ).optional(),
    })
    .superRefine(requireDistinctContent)
    .meta({ description: 'Changes of an order. Fields that are left out keep their values.' }),
)

export type OrderUpdate = z.output<typeof OrderUpdate>

export const updateOrder = write({
  id: 'updateOrder',
  path: '/orders/{id}',
  method: 'PATCH',
  tag: 'Orders',
  summary: 'Update an order',
  description:
    'Changes the notes, the customer, the address or the content of an order: its items, discounts and shipping price. ' +
    'Fields that are left out keep their values, and null clears a field. The customer and the address can change until ' +
    'the first unit is handed over. While a shipment of the order is in progress, the address and the name and phone ' +
    'number of the recipient can change only to those of the shipment. The content can change until a shipment contains ' +
    'units of the order or the order has a refund. The stock of added units is reserved, and that of removed units is ' +
    'released. With `Service-Dry-Run: true`, the response shows the new total and the balance without storing them. A ' +
    'positive balance is due from the customer; for a negative balance, create a refund.',
  access: 'orders:write',
  params: z.strictObject({ id: OrderId }),
  body: { schema: OrderUpdate, example: { note: 'Gift: leave out the receipt.', tags: ['gift'] } },
  reply: {
    status: 200,
    body: Order,
    meaning: 'The updated order.',
    example: { ...orderExample, version: 2, note: 'Gift: leave out the receipt.', tags: ['gift'] },
  },
  refusals: [
    'order_not_found',
    'order_not_editable',
    'order_content_not_editable',
    'variant_not_found',
    'product_not_available',
    'insufficient_stock',
    'discount_not_applicable',
    'total_mismatch',
    'amount_too_large',
  ],
  ifMatch: 'honoured',
  emits: ['order.edited', 'inventory.low_stock', ...orderMoveEvents],
  audits: { action: 'order.update', resourceType: 'order' },
})
