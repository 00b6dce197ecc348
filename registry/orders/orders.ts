import { z } from 'zod'
import { list, queryChoices, read, write } from '../kit/endpoint.ts'
import { lineQuantityMax, orderDiscountsMax, orderLinesMax } from '../values/limits.ts'
import {
  AddressInput,
  CustomerId,
  Email,
  instant,
  kobo,
  Metadata,
  named,
  nullable,
  OrderId,
  orderNumber,
  Phone,
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
    'Returns orders, newest first. Each row has the fields that a list needs; `GET /orders/{id}` returns the whole ' +
    'order. Filters combine, and `q` searches the order number and the customer.',
  access: 'orders:read',
  filters: z.strictObject({
    status: queryChoices(orderStatuses, 'Only orders in one of these states.').optional(),
    paymentStatus: queryChoices(paymentStatuses, 'Only orders with one of these payment statuses.').optional(),
    fulfillmentStatus: queryChoices(
      fulfillmentStatuses,
      'Only orders with one of these fulfilment statuses.',
    ).optional(),
    createdFrom: instant('Only orders created at this moment or later.').optional(),
    createdTo: instant('Only orders created before this moment.').optional(),
    updatedFrom: instant('Only orders changed at this moment or later.').optional(),
    customerId: CustomerId.optional(),
    customerEmail: Email.optional().meta({ description: 'Only orders of this e-mail address, whatever its case.' }),
    number: orderNumber.optional(),
    externalReference: externalReference.optional(),
    q: text('Finds a part of the order number, or of the customer’s name, e-mail or phone.', {
      isPersonal: true,
      min: 2,
      max: 100,
      example: 'adaeze',
    }).optional(),
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
    'Returns an order with its items and totals. Send its `ETag` as `If-Match` with a change to detect concurrent ' +
    'changes.',
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
      phone: Phone.optional(),
    })
    .meta({ description: 'A customer by name. Send this or `customerId`.' }),
)

export const OrderInput = named(
  'OrderInput',
  z
    .strictObject({
      customerId: CustomerId.optional().meta({ description: 'An existing customer. Send this or `customer`.' }),
      customer: CustomerInput.optional(),
      items: z
        .array(
          named(
            'OrderItemInput',
            z.strictObject({
              variantId: VariantId,
              quantity: z
                .int()
                .min(1)
                .max(lineQuantityMax)
                .meta({ description: 'Pieces ordered.', examples: [2] }),
              unitPriceKobo: kobo(
                'Price of one piece instead of the catalogue’s. Only a token with the scope `products:write` may set it.',
                { example: 1_400_000 },
              ).optional(),
            }),
          ),
        )
        .min(1)
        .max(orderLinesMax)
        .meta({ description: 'The lines; each variant at most once.' }),
      shippingAddress: AddressInput.optional(),
      billingAddress: AddressInput.optional(),
      shippingKobo: kobo('Price of shipping; 0 when left out.', { example: 250000 }).optional(),
      discountCodes: z
        .array(text('A discount code, whatever its case.', { isPersonal: false, max: 32, example: 'DETTY10' }))
        .max(orderDiscountsMax)
        .optional()
        .meta({
          description: 'Codes of discounts, each once. One that does not count refuses the order.',
          examples: [['DETTY10']],
        }),
      paymentMethod: PaymentMethod,
      note: note.optional(),
      customerNote: customerNote.optional(),
      tags: tags.optional(),
      externalReference: externalReference.optional(),
      source: OrderSource.optional(),
      expectedTotalKobo: kobo('Refuse the order unless its total is exactly this.', { example: 3250000 }).optional(),
      metadata: Metadata.optional(),
    })
    .superRefine((order, context) => {
      if ((order.customerId === undefined) === (order.customer === undefined)) {
        const message = 'Send either `customerId` or `customer`.'
        context.addIssue({ code: 'custom', path: ['customer'], message, params: { problem: 'required' } })
      }
      const seen = new Set<string>()
      order.items.forEach((item, index) => {
        if (seen.has(item.variantId)) {
          const message = 'This variant is already in another line; add the quantities.'
          const path = ['items', index, 'variantId']
          context.addIssue({ code: 'custom', path, message, params: { problem: 'duplicate' } })
        }
        seen.add(item.variantId)
      })
      const codes = (order.discountCodes ?? []).map((code) => code.toUpperCase())
      codes.forEach((code, index) => {
        if (codes.indexOf(code) === index) return
        const path = ['discountCodes', index]
        context.addIssue({
          code: 'custom',
          path,
          message: 'This code is already named.',
          params: { problem: 'duplicate' },
        })
      })
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
    '`processing` if nothing is to be paid, or if it is paid on delivery and the merchant confirms such orders ' +
    'automatically. Every other order starts as `pending`.',
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
  ],
  emits: ['order.created', 'inventory.low_stock'],
  audits: { action: 'order.create', resourceType: 'order' },
})

const OrderUpdate = named(
  'OrderUpdate',
  z
    .strictObject({
      note: nullable(note).optional().meta({ description: 'A note among staff; null removes it.' }),
      tags: tags.optional().meta({ description: 'Free labels; they replace those there are.' }),
      metadata: Metadata.optional().meta({ description: 'Replaces the metadata there is.' }),
      customer: z
        .strictObject({
          name: customerName.optional(),
          email: Email.optional(),
          phone: nullable(Phone).optional().meta({ description: 'Phone number of the customer; null removes it.' }),
        })
        .optional()
        .meta({ description: 'How to reach the customer about this order; the customer’s own record stays as it is.' }),
      shippingAddress: nullable(AddressInput)
        .optional()
        .meta({ description: 'Where the order goes, whole; null when it is collected.' }),
    })
    .meta({ description: 'What to change. What is left out stays.' }),
)

export type OrderUpdate = z.output<typeof OrderUpdate>

export const updateOrder = write({
  id: 'updateOrder',
  path: '/orders/{id}',
  method: 'PATCH',
  tag: 'Orders',
  summary: 'Update an order',
  description:
    'Changes the notes, the customer or the address of an order. Fields that are left out keep their values, and null ' +
    'clears a field. The customer and the address can change until the first unit is handed over. Items cannot ' +
    'change: cancel the order and create a new one.',
  access: 'orders:write',
  params: z.strictObject({ id: OrderId }),
  body: { schema: OrderUpdate, example: { note: 'Gift: leave out the receipt.', tags: ['gift'] } },
  reply: {
    status: 200,
    body: Order,
    meaning: 'The order as it is now.',
    example: { ...orderExample, version: 2, note: 'Gift: leave out the receipt.', tags: ['gift'] },
  },
  refusals: ['order_not_found', 'order_not_editable'],
  ifMatch: 'honoured',
  emits: [],
  audits: { action: 'order.update', resourceType: 'order' },
})
