import { z } from 'zod'
import {
  onHandMax,
  optionValuesMax,
  productImagesMax,
  productOptionsMax,
  productVariantsMax,
} from '../values/limits.ts'
import { impersonalText } from '../values/privacy.ts'
import { readable } from '../values/readable-text.ts'
import {
  Currency,
  ImageId,
  kobo,
  Metadata,
  named,
  nullable,
  ProductId,
  text,
  timestamp,
  VariantId,
} from '../values/vocabulary.ts'
import { productStatuses } from './product-states.ts'

export const ProductStatus = named(
  'ProductStatus',
  z.enum(productStatuses).meta({ description: 'Whether the product can be bought. More values may be added.' }),
)

/** What one product is told in, for the record and for the requests that change it. */
export const productFields = {
  title: text('What the product is called.', { isPersonal: false, max: 200, example: 'Ankara maxi dress' }),
  slug: impersonalText()
    .min(1)
    .max(120)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, { error: 'Must be lower-case letters and digits, with single hyphens between.' })
    .meta({ description: 'Its name in a URL; unique per merchant.', examples: ['ankara-maxi-dress'] }),
  description: readable(impersonalText().max(10_000), 'many').meta({
    description: 'What a buyer should know.',
    examples: ['Floor-length dress in wax print, lined.'],
  }),
  category: text('The shelf it is on.', { isPersonal: false, max: 100, example: 'Dresses' }),
  brand: text('Who made it.', { isPersonal: false, max: 100, example: 'Adire Lagos' }),
  tags: z
    .array(readable(impersonalText().min(1).max(40)))
    .max(20)
    .meta({ description: 'Free labels.', examples: [['ankara', 'women']] }),
  lowStockThreshold: z
    .int()
    .min(0)
    .max(onHandMax)
    .meta({ description: 'At this or fewer available pieces stock is low.', examples: [5] }),
  taxExempt: z.boolean().meta({ description: 'Whether no VAT is charged on it.', examples: [false] }),
}

/** An underscore in front is refused, because `__proto__` must not be the name of a field. */
const optionName = readable(impersonalText().min(1).max(40))
  .regex(/^[^_]/, { error: 'Must not begin with an underscore.' })
  .meta({ description: 'What differs between the variants.', examples: ['size'] })

/** Three of these and what stands between them still fit a variant’s title. */
const optionValue = readable(impersonalText().min(1).max(60)).meta({ description: 'One choice.', examples: ['M'] })

const option = {
  name: optionName,
  values: z
    .array(optionValue)
    .min(1)
    .max(optionValuesMax)
    .meta({ description: 'What can be chosen, in the order it is shown.', examples: [['S', 'M', 'L']] }),
}

export const ProductOption = named('ProductOption', z.object(option))
export type ProductOption = z.output<typeof ProductOption>

const ProductOptionInput = named('ProductOptionInput', z.strictObject(option))

export const productOptions = z
  .array(ProductOptionInput)
  .max(productOptionsMax)
  .superRefine((options, context) => {
    reportRepeated(
      options.map(({ name }) => name),
      (index) => [index, 'name'],
      context,
    )
    options.forEach(({ values }, place) => {
      reportRepeated(values, (index) => [place, 'values', index], context)
    })
  })
  .meta({ description: 'What the variants differ in; none for a product that comes in one form.' })

/** Tells of each text that an earlier one already says, whatever its case. */
export function reportRepeated(
  texts: readonly (string | undefined)[],
  pathOf: (index: number) => PropertyKey[],
  context: z.core.$RefinementCtx,
): void {
  const seen = new Set<string>()
  texts.forEach((each, index) => {
    if (each === undefined) return
    const key = each.toLowerCase()
    if (seen.has(key)) {
      const message = `${each} is already there.`
      context.addIssue({ code: 'custom', path: pathOf(index), message, params: { problem: 'duplicate' } })
    }
    seen.add(key)
  })
}

const imageUrl = impersonalText()
  .max(2048)
  .regex(/^https:\/\/[!-~]+$/, { error: 'Must be an https URL.', abort: true })
  .refine((url) => URL.canParse(url), { error: 'Must be an https URL.', params: { problem: 'invalid_format' } })
  .meta({ description: 'Where the picture is.', examples: ['https://cdn.example.com/ankara-maxi.jpg'] })

const imageAlt = text('What the picture shows, for those who cannot see it.', {
  isPersonal: false,
  max: 500,
  example: 'Front view',
})

/** A picture that is new, or known by its id. */
export const ImageInput = named(
  'ProductImageInput',
  z.strictObject({
    id: ImageId.optional().meta({ description: 'Id of a picture the product has; left out for a new one.' }),
    url: imageUrl,
    alt: imageAlt.optional(),
  }),
)

export const NewImageInput = named('NewProductImageInput', z.strictObject({ url: imageUrl, alt: imageAlt.optional() }))

export const variantFields = {
  sku: impersonalText()
    .min(1)
    .max(100)
    // Only ASCII, so that the service and PostgreSQL agree on what differs only in case.
    .regex(/^[!-~]+( [!-~]+)*$/, { error: 'Must be plain ASCII letters, digits and signs, without outer blanks.' })
    .meta({
      description: 'Stock keeping unit; unique per merchant in what is not archived, whatever its case.',
      examples: ['ANK-MAX-M-IND'],
    }),
  optionValues: z
    .record(z.string(), optionValue)
    .meta({ description: 'The chosen value of each option.', examples: [{ size: 'M', colour: 'Indigo' }] }),
  priceKobo: kobo('What one piece costs.'),
  compareAtPriceKobo: kobo('What it cost before a sale; more than the price.', { example: 1_800_000 }),
  costKobo: kobo('What the merchant paid for it.', { example: 900_000 }),
  barcode: text('GTIN, EAN or the merchant’s own.', { isPersonal: false, max: 64, example: '6154000012345' }),
  weightGrams: z
    .int()
    .min(0)
    .max(1_000_000)
    .meta({ description: 'Weight of one piece, for shipping.', examples: [450] }),
  imageId: ImageId,
  tracked: z.boolean().meta({ description: 'Whether stock is counted; if not, it never runs out.', examples: [true] }),
  allowBackorder: z.boolean().meta({ description: 'Whether more can be ordered than there is.', examples: [false] }),
  onHand: z
    .int()
    .min(0)
    .max(onHandMax)
    .meta({ description: 'Pieces in the shop.', examples: [20] }),
}

export const inventoryFields = {
  tracked: variantFields.tracked,
  onHand: variantFields.onHand,
  reserved: z
    .int()
    .min(0)
    .meta({ description: 'Pieces promised to orders.', examples: [0] }),
  available: z.int().meta({
    description: 'Pieces that can be sold now: on hand less reserved. Negative where fewer were found than promised.',
    examples: [20],
  }),
  lowStockThreshold: nullable(productFields.lowStockThreshold).meta({
    description: 'The variant’s own threshold; null leaves it to the product, and that to the merchant.',
  }),
  allowBackorder: variantFields.allowBackorder,
  low: z.boolean().meta({ description: 'Whether its stock is low.', examples: [false] }),
}

const Inventory = named('Inventory', z.object(inventoryFields).meta({ description: 'Its stock.' }))

export const Variant = named(
  'Variant',
  z
    .object({
      id: VariantId,
      sku: variantFields.sku,
      title: impersonalText()
        .max(200)
        .meta({ description: 'Its option values, in the order of the options.', examples: ['M / Indigo'] }),
      optionValues: variantFields.optionValues,
      priceKobo: variantFields.priceKobo,
      compareAtPriceKobo: nullable(variantFields.compareAtPriceKobo).meta({
        description: 'What it cost before a sale, in kobo.',
      }),
      costKobo: nullable(variantFields.costKobo).meta({ description: 'What the merchant paid for it, in kobo.' }),
      barcode: nullable(variantFields.barcode).meta({ description: 'GTIN, EAN or the merchant’s own.' }),
      weightGrams: nullable(variantFields.weightGrams).meta({ description: 'Weight of one piece, for shipping.' }),
      imageId: nullable(ImageId).meta({ description: 'Its picture, one of the product’s.' }),
      position: z
        .int()
        .min(0)
        .meta({ description: 'Sorts the variants.', examples: [0] }),
      inventory: Inventory,
    })
    .meta({ description: 'One thing that can be bought: a size and colour of a product, with its price and stock.' }),
)

export type Variant = z.output<typeof Variant>

const ProductImage = named(
  'ProductImage',
  z.object({
    id: ImageId,
    url: imageUrl,
    alt: nullable(imageAlt).meta({ description: 'What the picture shows, for those who cannot see it.' }),
    position: z
      .int()
      .min(0)
      .meta({ description: 'Sorts the pictures; 0 is the main one.', examples: [0] }),
    variantIds: z.array(VariantId).meta({ description: 'The variants it is the picture of.' }),
  }),
)

export type ProductImage = z.output<typeof ProductImage>

const nullableMoment = (description: string) => nullable(timestamp(description)).meta({ description })

export const Product = named(
  'Product',
  z
    .object({
      id: ProductId,
      title: productFields.title,
      slug: productFields.slug,
      description: productFields.description,
      status: ProductStatus,
      currency: Currency,
      options: z.array(ProductOption).max(productOptionsMax).meta({ description: 'What the variants differ in.' }),
      variants: z
        .array(Variant)
        .max(productVariantsMax)
        .meta({ description: 'What can be bought of it; none in a draft that has none yet.' }),
      images: z.array(ProductImage).max(productImagesMax).meta({ description: 'Its pictures.' }),
      category: nullable(productFields.category).meta({ description: 'The shelf it is on.' }),
      brand: nullable(productFields.brand).meta({ description: 'Who made it.' }),
      tags: productFields.tags,
      priceRange: nullable(z.object({ minKobo: kobo('The lowest price.'), maxKobo: kobo('The highest price.') })).meta({
        description: 'The prices of its variants; null while it has none.',
      }),
      totalAvailable: z.int().meta({
        description: 'Pieces that can be sold now, over the variants whose stock is counted.',
        examples: [20],
      }),
      lowStockThreshold: nullable(productFields.lowStockThreshold).meta({
        description: 'For variants without one of their own; null leaves it to the merchant’s setting.',
      }),
      taxExempt: productFields.taxExempt,
      metadata: Metadata,
      version: z
        .int()
        .min(1)
        .meta({
          description: 'Counts the changes of the product and its variants, not those of stock.',
          examples: [3],
        }),
      publishedAt: nullableMoment('When it first became `active`.'),
      archivedAt: nullableMoment('When it became `archived`.'),
      createdAt: timestamp('When it was created.'),
      updatedAt: timestamp('When it or a variant last changed, stock aside.'),
    })
    .meta({ description: 'Something the merchant sells, with its variants, prices and stock.' }),
)

export type Product = z.output<typeof Product>

export const productExample = {
  id: 'prd_01jd3f8q6hf5n8v1zr4c7e2m9k',
  title: 'Ankara maxi dress',
  slug: 'ankara-maxi-dress',
  description: 'Floor-length dress in wax print, lined, with side pockets.',
  status: 'active',
  currency: 'NGN',
  options: [
    { name: 'size', values: ['M', 'L'] },
    { name: 'colour', values: ['Indigo'] },
  ],
  variants: [
    {
      id: 'var_01jd3f8q6hf5n8v1zr4c7e2m9k',
      sku: 'ANK-MAX-M-IND',
      title: 'M / Indigo',
      optionValues: { size: 'M', colour: 'Indigo' },
      priceKobo: 1500000,
      compareAtPriceKobo: 1800000,
      costKobo: 900000,
      barcode: null,
      weightGrams: 450,
      imageId: 'img_01jd3f8q6hf5n8v1zr4c7e2m9k',
      position: 0,
      inventory: {
        tracked: true,
        onHand: 20,
        reserved: 2,
        available: 18,
        lowStockThreshold: null,
        allowBackorder: false,
        low: false,
      },
    },
  ],
  images: [
    {
      id: 'img_01jd3f8q6hf5n8v1zr4c7e2m9k',
      url: 'https://cdn.example.com/ankara-maxi.jpg',
      alt: 'Front view',
      position: 0,
      variantIds: ['var_01jd3f8q6hf5n8v1zr4c7e2m9k'],
    },
  ],
  category: 'Dresses',
  brand: null,
  tags: ['ankara', 'women'],
  priceRange: { minKobo: 1500000, maxKobo: 1500000 },
  totalAvailable: 18,
  lowStockThreshold: null,
  taxExempt: false,
  metadata: {},
  version: 1,
  publishedAt: '2026-11-21T08:30:00.000Z',
  archivedAt: null,
  createdAt: '2026-11-21T08:30:00.000Z',
  updatedAt: '2026-11-21T08:30:00.000Z',
} as const satisfies z.input<typeof Product>
