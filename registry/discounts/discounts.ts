import { z } from 'zod'
import { list, read, write } from '../kit/endpoint.ts'
import { queryChoices } from '../kit/query.ts'
import { sampleIds, withExampleId } from '../kit/sample-ids.ts'
import { discountStates, discountTypes } from '../values/discount-terms.ts'
import { catalogueLimits } from '../values/limits.ts'
import { DiscountId, instant, text } from '../values/vocabulary.ts'
import { Discount, DiscountRedemption, discountExample, redemptionExample } from './discount.ts'
import { DiscountChange, DiscountInput } from './discount-input.ts'

const createdRange = (noun: string) => ({
  createdFrom: instant(`Returns only ${noun} created at or after this time.`).optional(),
  createdTo: instant(`Returns only ${noun} created before this time.`).optional(),
})

export const listDiscounts = list({
  id: 'listDiscounts',
  path: '/discounts',
  tag: 'Discounts',
  summary: 'List discounts',
  description: 'Returns discounts, newest first. Archived discounts are included unless `state` excludes them.',
  access: 'discounts:read',
  filters: z.strictObject({
    state: queryChoices(discountStates, 'Returns only discounts in one of these states.').optional(),
    type: queryChoices(discountTypes, 'Returns only discounts of one of these types.').optional(),
    code: text('Returns only discounts with this code, regardless of case.', {
      isPersonal: false,
      max: 32,
      example: 'DETTY10',
    }).optional(),
    q: text('Search text: part of the title or the code. Case and accents are ignored.', {
      isPersonal: false,
      min: 2,
      max: 100,
      example: 'detty',
    }).optional(),
    ...createdRange('discounts'),
  }),
  refusals: ['invalid_time_range'],
  item: Discount,
  pageName: 'DiscountPage',
  example: discountExample,
})

export const createDiscount = write({
  id: 'createDiscount',
  path: '/discounts',
  tag: 'Discounts',
  summary: 'Create a discount',
  description:
    'Creates a discount, which is applied to an order by its code. The products, variants and customers in the ' +
    'request must exist. If ids of several kinds are unknown, the error lists only the ids of one kind, for example only the ' +
    'unknown products.',
  access: 'discounts:write',
  body: {
    schema: DiscountInput,
    limits: catalogueLimits,
    example: {
      // The example request that creates a discount uses a code that the demo data does not contain.
      title: 'Owambe season',
      code: 'OWAMBE15',
      type: 'percentage',
      percentageBps: 1500,
      maxDiscountKobo: 1_000_000,
      startsAt: '2026-12-01T00:00:00Z',
      endsAt: '2027-01-01T00:00:00Z',
      usageLimit: 100,
      usageLimitPerCustomer: 1,
      combinesWith: ['shipping'],
    },
  },
  reply: {
    status: 201,
    body: Discount,
    meaning: 'The discount.',
    example: { ...discountExample, title: 'Owambe season', code: 'OWAMBE15', percentageBps: 1500 },
    location: '/discounts/{id}',
  },
  refusals: ['product_not_found', 'variant_not_found', 'customer_not_found', 'code_in_use', 'discount_window_empty'],
  emits: [],
  audits: { action: 'discount.create', resourceType: 'discount' },
})

export const getDiscount = read({
  id: 'getDiscount',
  path: '/discounts/{id}',
  tag: 'Discounts',
  summary: 'Get a discount',
  description:
    'Returns a discount with its redemption count. To detect concurrent changes, send the `ETag` of the ' +
    'response as `If-Match` when you change the discount.',
  access: 'discounts:read',
  params: z.strictObject({ id: DiscountId }),
  refusals: ['discount_not_found'],
  reply: { body: Discount, meaning: 'The discount.', example: discountExample },
})

export const updateDiscount = write({
  id: 'updateDiscount',
  path: '/discounts/{id}',
  method: 'PATCH',
  tag: 'Discounts',
  summary: 'Update a discount',
  description:
    'Changes a discount. After the first redemption only `title`, `endsAt`, the two usage limits, `status` and `metadata` ' +
    'can change, so that a published code keeps its meaning. An archived discount cannot change.',
  access: 'discounts:write',
  params: z.strictObject({ id: withExampleId(DiscountId, sampleIds.discountToPause) }),
  body: { schema: DiscountChange, limits: catalogueLimits, example: { status: 'paused', usageLimit: 200 } },
  reply: {
    status: 200,
    body: Discount,
    meaning: 'The updated discount.',
    example: {
      ...discountExample,
      id: sampleIds.discountToPause,
      status: 'paused',
      state: 'paused',
      usageLimit: 200,
      version: 2,
    },
  },
  refusals: [
    'discount_not_found',
    'product_not_found',
    'variant_not_found',
    'customer_not_found',
    'discount_locked',
    'discount_type_mismatch',
    'discount_limit_below_uses',
    'discount_window_empty',
    'code_in_use',
  ],
  ifMatch: 'honoured',
  emits: [],
  audits: { action: 'discount.update', resourceType: 'discount' },
})

export const archiveDiscount = write({
  id: 'archiveDiscount',
  path: '/discounts/{id}/archive',
  tag: 'Discounts',
  summary: 'Archive a discount',
  description:
    'Ends a discount permanently, so that another discount can use its code. Orders with the discount keep the reduced price. Archiving an archived ' +
    'discount changes nothing and returns 200.',
  access: 'discounts:write',
  params: z.strictObject({ id: withExampleId(DiscountId, sampleIds.discountToArchive) }),
  reply: {
    status: 200,
    body: Discount,
    meaning: 'The archived discount.',
    example: { ...discountExample, id: sampleIds.discountToArchive, status: 'archived', state: 'archived', version: 2 },
  },
  refusals: ['discount_not_found'],
  ifMatch: 'honoured',
  emits: [],
  audits: { action: 'discount.archive', resourceType: 'discount' },
})

export const listDiscountRedemptions = list({
  id: 'listDiscountRedemptions',
  path: '/discounts/{id}/redemptions',
  tag: 'Discounts',
  summary: 'List discount redemptions',
  description:
    'Returns the orders that used a discount, newest first. Redemptions of orders that were cancelled before ' +
    'payment are included and have `releasedAt`.',
  access: 'discounts:read',
  params: z.strictObject({ id: DiscountId }),
  filters: z.strictObject(createdRange('redemptions')),
  refusals: ['discount_not_found', 'invalid_time_range'],
  item: DiscountRedemption,
  pageName: 'DiscountRedemptionPage',
  example: redemptionExample,
})
