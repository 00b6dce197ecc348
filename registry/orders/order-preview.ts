import { z } from 'zod'
import { read } from '../kit/endpoint.ts'
import { discountRejections } from '../values/discount-terms.ts'
import { impersonalText } from '../values/privacy.ts'
import { Currency, kobo, named, ProductId, VariantId } from '../values/vocabulary.ts'
import { appliedDiscount, OrderItem, orderTotals } from './order.ts'
import { OrderInput } from './orders.ts'

const { sku, title, variantTitle, optionValues, quantity, unitPriceKobo, compareAtPriceKobo } = OrderItem.shape
const { subtotalKobo, discountKobo, taxRateBps, taxKobo, totalKobo } = OrderItem.shape

export const OrderPreview = named(
  'OrderPreview',
  z
    .object({
      totalKobo: kobo(
        'Total of the order. Send this total as `expectedTotalKobo` to create the order only at this price.',
      ),
      currency: Currency,
      canBeOrdered: z.boolean().meta({
        description:
          'Whether the order can be created: no discount code is rejected, and no item has insufficient stock.',
        examples: [true],
      }),
      items: z
        .array(
          named(
            'OrderPreviewItem',
            z.object({
              productId: ProductId,
              variantId: VariantId,
              sku,
              title,
              variantTitle,
              optionValues,
              quantity,
              unitPriceKobo,
              compareAtPriceKobo,
              subtotalKobo,
              discountKobo,
              taxRateBps,
              taxKobo,
              totalKobo,
            }),
          ),
        )
        .meta({ description: 'Items of the order, in the sequence of the request.' }),
      ...orderTotals,
      discounts: z
        .array(
          named(
            'OrderPreviewDiscount',
            z.object({
              ...appliedDiscount,
              allocations: z
                .array(
                  named(
                    'OrderPreviewAllocation',
                    z.object({
                      variantId: impersonalText()
                        .regex(/^(var_[0-9a-z]{26}|shipping)$/)
                        .meta({
                          description: 'Identifier of the discounted variant, or `shipping`.',
                          examples: ['var_01jd3f8q6hf5n8v1zr4c7e2m9k'],
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
        .meta({ description: 'Applicable discounts, in the order in which they are applied.' }),
      rejected: z
        .array(
          named(
            'RejectedCode',
            z.object({
              code: impersonalText().meta({
                description: 'Rejected discount code, as sent in the request.',
                examples: ['DETTY10'],
              }),
              reason: z
                .enum(discountRejections)
                .meta({ description: 'Reason why the code is not applicable. More values may be added.' }),
            }),
          ),
        )
        .meta({ description: 'Discount codes that are not applicable. The totals do not include them.' }),
      shortages: z
        .array(
          named(
            'Shortage',
            z.object({
              variantId: VariantId,
              sku,
              requested: z.int().meta({ description: 'Requested quantity.', examples: [3] }),
              available: z
                .int()
                .min(0)
                .meta({ description: 'Available quantity.', examples: [1] }),
            }),
          ),
        )
        .meta({
          description:
            'Items with insufficient stock. The totals nevertheless include the requested quantities of these items.',
        }),
    })
    .meta({ description: 'Preview of an order at current prices. Nothing is stored or reserved.' }),
)

export type OrderPreview = z.output<typeof OrderPreview>

export const previewOrder = read({
  id: 'previewOrder',
  path: '/orders/preview',
  method: 'POST',
  tag: 'Orders',
  summary: 'Preview an order',
  description:
    'Takes the body of `POST /orders` and calculates the price of the order by the same rules, without creating the order. Discount ' +
    'codes that do not apply and items that are out of stock are reported instead of rejected. `externalReference` ' +
    'and `expectedTotalKobo` are ignored.',
  access: 'orders:read',
  body: {
    schema: OrderInput,
    example: {
      customer: { name: 'Adaeze Okafor', email: 'adaeze.okafor@example.com', phone: '+2348031234567' },
      items: [{ variantId: 'var_01jd3f8q6hf5n8v1zr4c7e2m9k', quantity: 2 }],
      shippingKobo: 250000,
      discountCodes: ['DETTY10', 'OLD'],
      paymentMethod: 'bank_transfer',
    },
  },
  refusals: [
    'customer_not_found',
    'customer_anonymised',
    'variant_not_found',
    'product_not_available',
    'amount_too_large',
  ],
  reply: {
    body: OrderPreview,
    meaning: 'The preview.',
    example: {
      totalKobo: 2950000,
      currency: 'NGN',
      canBeOrdered: false,
      items: [
        {
          productId: 'prd_01jd3f8q6hf5n8v1zr4c7e2m9k',
          variantId: 'var_01jd3f8q6hf5n8v1zr4c7e2m9k',
          sku: 'ANK-MAX-M-IND',
          title: 'Ankara maxi dress',
          variantTitle: 'M / Indigo',
          optionValues: { size: 'M', colour: 'Indigo' },
          quantity: 2,
          unitPriceKobo: 1500000,
          compareAtPriceKobo: null,
          subtotalKobo: 3000000,
          discountKobo: 300000,
          taxRateBps: 0,
          taxKobo: 0,
          totalKobo: 2700000,
        },
      ],
      subtotalKobo: 3000000,
      discountKobo: 300000,
      shippingKobo: 250000,
      taxKobo: 0,
      taxInclusive: true,
      taxRateBps: 0,
      discounts: [
        {
          discountId: 'dsc_01jd3f8q6hf5n8v1zr4c7e2m9k',
          code: 'DETTY10',
          type: 'percentage',
          amountKobo: 300000,
          allocations: [{ variantId: 'var_01jd3f8q6hf5n8v1zr4c7e2m9k', amountKobo: 300000 }],
        },
      ],
      rejected: [{ code: 'OLD', reason: 'expired' }],
      shortages: [],
    },
  },
})
