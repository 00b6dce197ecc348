import { z } from 'zod'
import {
  discountClasses,
  discountScopes,
  discountStates,
  discountStatuses,
  discountTypes,
} from '../values/discount-terms.ts'
import { discountTargetsMax, targetIdMaxLength } from '../values/limits.ts'
import { impersonalText } from '../values/privacy.ts'
import {
  CustomerId,
  DiscountId,
  kobo,
  Metadata,
  named,
  nullable,
  OrderId,
  orderNumber,
  RedemptionId,
  text,
  timestamp,
} from '../values/vocabulary.ts'

/**
 * Highest usage limit that a discount may have: more than any merchant needs, and half of what the database column can
 * store.
 */
const usesMax = 1_000_000_000

export const discountFields = {
  title: text('Internal title of the discount.', { isPersonal: false, max: 120, example: 'Detty December' }),
  percentageBps: z
    .int()
    .min(1)
    .max(10_000)
    .meta({ description: 'Percentage that the discount takes off, in basis points: 1000 is 10 %.', examples: [1000] }),
  amountKobo: kobo('Fixed discount.', { min: 1, example: 500_000 }),
  maxDiscountKobo: kobo('Maximum amount that a percentage discount takes off one order.', {
    min: 1,
    example: 1_000_000,
  }),
  minimumSubtotalKobo: kobo('Minimum subtotal of the eligible items before discounts.', { min: 1 }),
  minimumQuantity: z
    .int()
    .min(1)
    .max(100_000)
    .meta({ description: 'Minimum total quantity of the eligible items.', examples: [2] }),
  usageLimit: limit('Maximum number of orders that can use the discount.'),
  usageLimitPerCustomer: limit(
    'Maximum number of orders per customer that can use the discount. Two orders are of the same customer if they have the same customer record, the same e-mail address ' +
      '(without its `+tag`) or the same phone number.',
  ),
  firstOrderOnly: z
    .boolean()
    .meta({ description: 'Whether the discount is only for the first order of a customer.', examples: [false] }),
  combinesWith: z
    .array(
      named(
        'DiscountClass',
        z.enum(discountClasses).meta({ description: 'Class of a discount: `product`, `order` or `shipping`.' }),
      ),
    )
    .max(discountClasses.length)
    .meta({
      description:
        'Classes of discounts with which the discount can be combined. The class is `shipping` for free shipping, `order` ' +
        'for the scope `order`, and `product` otherwise. Two discounts combine only if each lists the class of the other.',
      examples: [['shipping']],
    }),
}

function limit(description: string) {
  return z
    .int()
    .min(1)
    .max(usesMax)
    .meta({ description, examples: [100] })
}

export const DiscountType = named(
  'DiscountType',
  z.enum(discountTypes).meta({ description: 'Type of the discount. More values may be added.' }),
)

export const DiscountScope = named(
  'DiscountScope',
  z
    .enum(discountScopes)
    .meta({ description: 'Scope of the discount: the whole order, or the items of some products or variants.' }),
)

const idsOf = (description: string) =>
  z
    .array(impersonalText().max(targetIdMaxLength))
    .max(discountTargetsMax)
    .meta({ description, examples: [['prd_01jd3f8q6hf5n8v1zr4c7e2m9k']] })

export const targetIds = idsOf(
  'Identifiers of the products or variants to which the discount applies. Empty or left out for the scope `order`.',
)

const nullableField = <Schema extends z.ZodType>(schema: Schema, description: string) => {
  return nullable(schema).meta({ description })
}

export const Discount = named(
  'Discount',
  z
    .object({
      id: DiscountId,
      title: discountFields.title,
      code: nullableField(impersonalText(), 'Discount code that customers enter, in upper case.'),
      type: DiscountType,
      percentageBps: nullableField(
        discountFields.percentageBps,
        'Percentage that the discount takes off, in basis points. Null unless the type is `percentage`.',
      ),
      amountKobo: nullableField(
        discountFields.amountKobo,
        'Fixed amount that the discount takes off, in kobo. Null unless the type is `fixed_amount`.',
      ),
      maxDiscountKobo: nullableField(
        discountFields.maxDiscountKobo,
        'Maximum amount that a percentage discount takes off one order, in kobo. Null without a maximum.',
      ),
      appliesTo: z
        .object({
          scope: DiscountScope,
          ids: idsOf(
            'Identifiers of the products or variants to which the discount applies. Empty for the scope `order`.',
          ),
        })
        .meta({ description: 'Eligible items.' }),
      minimumSubtotalKobo: nullableField(
        discountFields.minimumSubtotalKobo,
        'Minimum subtotal of the eligible items before discounts, in kobo. Null without a minimum.',
      ),
      minimumQuantity: nullableField(
        discountFields.minimumQuantity,
        'Minimum total quantity of the eligible items. Null without a minimum.',
      ),
      startsAt: timestamp('When the discount starts.'),
      endsAt: nullableField(timestamp('When the discount ends.'), 'When the discount ends. Null if it never ends.'),
      usageLimit: nullableField(
        discountFields.usageLimit,
        'Maximum number of orders that can use the discount. Null without a limit.',
      ),
      usageLimitPerCustomer: nullableField(
        discountFields.usageLimitPerCustomer,
        'Maximum number of orders per customer that can use the discount. Null without a limit.',
      ),
      firstOrderOnly: discountFields.firstOrderOnly,
      customerIds: nullableField(
        z.array(CustomerId),
        'Identifiers of the customers who may use the discount. Null if all customers may use it.',
      ),
      combinesWith: discountFields.combinesWith,
      status: named(
        'DiscountStatus',
        z
          .enum(discountStatuses)
          .meta({ description: 'Status of the discount, set by the merchant. More values may be added.' }),
      ),
      state: named(
        'DiscountState',
        z.enum(discountStates).meta({
          description:
            'Effective state of the discount, derived from its status, the current time and its redemptions. More values may be added.',
        }),
      ),
      redemptionCount: z
        .int()
        .min(0)
        .meta({
          description:
            'Number of orders that use the discount. An order that is cancelled before its payment is no longer counted.',
          examples: [0],
        }),
      metadata: Metadata,
      version: z
        .int()
        .min(1)
        .meta({
          description: 'Version of the discount, incremented with each change. Redemptions do not change the version.',
          examples: [1],
        }),
      createdAt: timestamp('When the discount was created.'),
      updatedAt: timestamp('When the discount last changed. A redemption does not change this time.'),
    })
    .meta({ description: 'Discount of a merchant. A request to create an order applies the discount by its code.' }),
)

export type Discount = z.output<typeof Discount>

export const discountExample = {
  id: 'dsc_01jd3f8q6hf5n8v1zr4c7e2m9k',
  title: 'Detty December',
  code: 'DETTY10',
  type: 'percentage',
  percentageBps: 1000,
  amountKobo: null,
  maxDiscountKobo: 1_000_000,
  appliesTo: { scope: 'order', ids: [] },
  minimumSubtotalKobo: null,
  minimumQuantity: null,
  startsAt: '2026-12-01T00:00:00.000Z',
  endsAt: '2027-01-01T00:00:00.000Z',
  usageLimit: 100,
  usageLimitPerCustomer: 1,
  firstOrderOnly: false,
  customerIds: null,
  combinesWith: ['shipping'],
  status: 'active',
  state: 'scheduled',
  redemptionCount: 0,
  metadata: {},
  version: 1,
  createdAt: '2026-11-21T08:30:00.000Z',
  updatedAt: '2026-11-21T08:30:00.000Z',
} as const satisfies z.input<typeof Discount>

export const DiscountRedemption = named(
  'DiscountRedemption',
  z
    .object({
      id: RedemptionId,
      discountId: DiscountId,
      orderId: OrderId,
      orderNumber,
      customerId: nullable(CustomerId).meta({
        description: 'Identifier of the customer who placed the order. Null if the customer was deleted.',
      }),
      amountKobo: kobo('Amount that the discount took off the order.'),
      createdAt: timestamp('When the order that uses the discount was created.'),
      releasedAt: nullable(
        timestamp('When the redemption was released, so that it no longer counts towards the usage limits.'),
      ).meta({
        description:
          'When the redemption was released: its order was cancelled before payment, or an edit removed the discount from ' +
          'the order. The redemption no longer counts towards the usage limits. Null for a redemption that was not released.',
      }),
    })
    .meta({ description: 'Redemption: the use of a discount by an order.' }),
)

export type DiscountRedemption = z.output<typeof DiscountRedemption>

export const redemptionExample = {
  id: 'rdm_01jd3f8q6hf5n8v1zr4c7e2m9k',
  discountId: 'dsc_01jd3f8q6hf5n8v1zr4c7e2m9k',
  orderId: 'ord_01jd3f8q6hf5n8v1zr4c7e2m9k',
  orderNumber: 'ORD-7K2M9QX4',
  customerId: 'cus_01jd3f8q6hf5n8v1zr4c7e2m9k',
  amountKobo: 150_000,
  createdAt: '2026-12-05T08:30:00.000Z',
  releasedAt: null,
} as const satisfies z.input<typeof DiscountRedemption>
