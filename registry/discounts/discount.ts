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

/** More uses than a merchant will ever sell to; the column holds twice as many. */
const usesMax = 1_000_000_000

/** The words of a discount that its record and the requests about it share. */
export const discountFields = {
  title: text('What staff call the discount.', { isPersonal: false, max: 120, example: 'Detty December' }),
  percentageBps: z
    .int()
    .min(1)
    .max(10_000)
    .meta({ description: 'The percentage in basis points: 1000 is 10 %.', examples: [1000] }),
  amountKobo: kobo('What is taken off.', { min: 1, example: 500_000 }),
  maxDiscountKobo: kobo('The most a percentage takes off one order.', { min: 1, example: 1_000_000 }),
  minimumSubtotalKobo: kobo('What the lines it is for must cost together, before any discount.', { min: 1 }),
  minimumQuantity: z
    .int()
    .min(1)
    .max(100_000)
    .meta({ description: 'Pieces there must be of the lines it is for.', examples: [2] }),
  usageLimit: limit('Orders that can use it altogether.'),
  usageLimitPerCustomer: limit(
    'Orders of one customer that can use it. A customer is known by record, by e-mail without its `+tag`, and by phone.',
  ),
  firstOrderOnly: z
    .boolean()
    .meta({ description: 'Whether it is only for customers who have not ordered before.', examples: [false] }),
  combinesWith: z
    .array(named('DiscountClass', z.enum(discountClasses).meta({ description: 'What a discount reduces.' })))
    .max(discountClasses.length)
    .meta({
      description:
        'The classes of discounts it can be used together with. The class is `shipping` for free shipping, `order` for ' +
        'the whole order, else `product`. Two combine only if each lists the other’s class.',
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
  z.enum(discountTypes).meta({ description: 'How it takes something off. More values may be added.' }),
)

export const DiscountScope = named(
  'DiscountScope',
  z
    .enum(discountScopes)
    .meta({ description: 'Which lines it looks at: all of an order, or those of some products or variants.' }),
)

const idsOf = (description: string) =>
  z
    .array(impersonalText().max(targetIdMaxLength))
    .max(discountTargetsMax)
    .meta({ description, examples: [['prd_01jd3f8q6hf5n8v1zr4c7e2m9k']] })

export const targetIds = idsOf('The products or variants, by id; none, or left out, for the whole order.')

const nullableField = <Schema extends z.ZodType>(schema: Schema, description: string) => {
  return nullable(schema).meta({ description })
}

export const Discount = named(
  'Discount',
  z
    .object({
      id: DiscountId,
      title: discountFields.title,
      code: nullableField(impersonalText(), 'What the customer names to get it, in capitals.'),
      type: DiscountType,
      percentageBps: nullableField(discountFields.percentageBps, 'The percentage in basis points, of a `percentage`.'),
      amountKobo: nullableField(discountFields.amountKobo, 'What is taken off, in kobo, by a `fixed_amount`.'),
      maxDiscountKobo: nullableField(discountFields.maxDiscountKobo, 'The most a percentage takes off, in kobo.'),
      appliesTo: z
        .object({
          scope: DiscountScope,
          ids: idsOf('The products or variants; none for the whole order.'),
        })
        .meta({ description: 'Which lines it looks at.' }),
      minimumSubtotalKobo: nullableField(
        discountFields.minimumSubtotalKobo,
        'What the lines it is for must cost together before any discount, in kobo.',
      ),
      minimumQuantity: nullableField(discountFields.minimumQuantity, 'Pieces there must be of the lines it is for.'),
      startsAt: timestamp('When it can first be used.'),
      endsAt: nullableField(timestamp('The end.'), 'From when on it can no longer be used; null when it never ends.'),
      usageLimit: nullableField(discountFields.usageLimit, 'Orders that can use it altogether; null for any number.'),
      usageLimitPerCustomer: nullableField(
        discountFields.usageLimitPerCustomer,
        'Orders of one customer that can use it; null for any number.',
      ),
      firstOrderOnly: discountFields.firstOrderOnly,
      customerIds: nullableField(z.array(CustomerId), 'The customers it is for; null when it is for all.'),
      combinesWith: discountFields.combinesWith,
      status: named(
        'DiscountStatus',
        z.enum(discountStatuses).meta({ description: 'What the merchant has set. More values may be added.' }),
      ),
      state: named(
        'DiscountState',
        z.enum(discountStates).meta({
          description: 'What follows from the status, the time and the uses. More values may be added.',
        }),
      ),
      redemptionCount: z
        .int()
        .min(0)
        .meta({
          description: 'Orders that use it; those cancelled before they were paid are given back.',
          examples: [0],
        }),
      metadata: Metadata,
      version: z
        .int()
        .min(1)
        .meta({ description: 'Counts the changes of its terms, not its uses.', examples: [1] }),
      createdAt: timestamp('When it was created.'),
      updatedAt: timestamp('When its terms last changed.'),
    })
    .meta({ description: 'A price cut and its terms, given to orders that name its code.' }),
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
        description: 'Who used it; null once the customer’s record is deleted.',
      }),
      amountKobo: kobo('What it took off the order.'),
      createdAt: timestamp('When the order was created.'),
      releasedAt: nullable(timestamp('When it was given back.')).meta({
        description: 'When the use was given back, because the order ended before it was paid.',
      }),
    })
    .meta({ description: 'One use of a discount by one order.' }),
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
