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
      totalKobo: kobo('What the order would cost. Send it as `expectedTotalKobo` to be charged exactly that.'),
      currency: Currency,
      canBeOrdered: z
        .boolean()
        .meta({ description: 'Whether no code is rejected and nothing is short.', examples: [true] }),
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
        .meta({ description: 'The lines, in the order they were sent.' }),
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
                          description: 'The variant of the line, or `shipping`.',
                          examples: ['var_01jd3f8q6hf5n8v1zr4c7e2m9k'],
                        }),
                      amountKobo: kobo('What it takes off that.'),
                    }),
                  ),
                )
                .meta({ description: 'What it takes off each line and shipping: together exactly `amountKobo`.' }),
            }),
          ),
        )
        .meta({ description: 'The discounts that count, in the order in which they are taken off.' }),
      rejected: z
        .array(
          named(
            'RejectedCode',
            z.object({
              code: impersonalText().meta({ description: 'The code as it was sent.', examples: ['DETTY10'] }),
              reason: z
                .enum(discountRejections)
                .meta({ description: 'Why it does not count. More values may be added.' }),
            }),
          ),
        )
        .meta({ description: 'The codes that do not count; the totals are without them.' }),
      shortages: z
        .array(
          named(
            'Shortage',
            z.object({
              variantId: VariantId,
              sku,
              requested: z.int().meta({ description: 'Pieces asked for.', examples: [3] }),
              available: z
                .int()
                .min(0)
                .meta({ description: 'Pieces that can be sold now.', examples: [1] }),
            }),
          ),
        )
        .meta({ description: 'The lines that are short of stock; the totals are with all that was asked for.' }),
    })
    .meta({ description: 'What an order would cost now. Nothing is kept or reserved.' }),
)

export type OrderPreview = z.output<typeof OrderPreview>

export const previewOrder = read({
  id: 'previewOrder',
  path: '/orders/preview',
  method: 'POST',
  tag: 'Orders',
  summary: 'Preview an order',
  description:
    'Takes the body of `POST /orders` and calculates the price by the same rules, without creating an order. Discount ' +
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
    meaning: 'What the order would cost.',
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
