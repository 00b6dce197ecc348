import { z } from 'zod'
import {
  onHandMax,
  optionValuesMax,
  productImagesMax,
  productOptionsMax,
  productTitleMaxLength,
  productVariantsMax,
} from '../values/limits.ts'
import { impersonalText } from '../values/privacy.ts'
import { readable } from '../values/readable-text.ts'
import {
  Currency,
  httpsUrl,
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
  z
    .enum(productStatuses)
    .meta({ description: 'Status of the product. Only `active` products can be ordered. More values may be added.' }),
)

export const productFields = {
  title: text('Title of the product.', { isPersonal: false, max: productTitleMaxLength, example: 'Ankara maxi dress' }),
  slug: impersonalText()
    .min(1)
    .max(120)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, { error: 'Must be lower-case letters and digits, separated by single hyphens.' })
    .meta({ description: 'URL slug of the product. Unique per merchant.', examples: ['ankara-maxi-dress'] }),
  description: readable(impersonalText().max(10_000), 'many').meta({
    description: 'Description of the product for buyers.',
    examples: ['Floor-length dress in wax print, lined.'],
  }),
  category: text('Category of the product.', { isPersonal: false, max: 100, example: 'Dresses' }),
  brand: text('Brand of the product.', { isPersonal: false, max: 100, example: 'Adire Lagos' }),
  tags: z
    .array(readable(impersonalText().min(1).max(40)))
    .max(20)
    .meta({ description: 'Free-form tags.', examples: [['ankara', 'women']] }),
  lowStockThreshold: z
    .int()
    .min(0)
    .max(onHandMax)
    .meta({
      description:
        'Low-stock threshold: the stock of a variant is low if its available quantity is at or below this number.',
      examples: [5],
    }),
  taxExempt: z.boolean().meta({ description: 'Whether the product is exempt from VAT.', examples: [false] }),
}

/** Name of a product option. A leading underscore is rejected, because `__proto__` must not become a field name. */
const optionName = readable(impersonalText().min(1).max(40))
  .regex(/^[^_]/, { error: 'Must not start with an underscore.' })
  .meta({ description: 'Name of the option.', examples: ['size'] })

/**
 * Value of a product option. Its maximum length follows from the title of a variant, which joins up to three option
 * values and has at most 200 characters.
 */
const optionValue = readable(impersonalText().min(1).max(60)).meta({ description: 'Option value.', examples: ['M'] })

const option = {
  name: optionName,
  values: z
    .array(optionValue)
    .min(1)
    .max(optionValuesMax)
    .meta({ description: 'Values that the option allows, in display order.', examples: [['S', 'M', 'L']] }),
}

export const ProductOption = named('ProductOption', z.object(option))
export type ProductOption = z.output<typeof ProductOption>

const ProductOptionInput = named('ProductOptionInput', z.strictObject(option))

export const productOptions = z
  .array(ProductOptionInput)
  .max(productOptionsMax)
  .superRefine((options, context) => {
    reportDuplicates(
      options.map(({ name }) => name),
      (index) => [index, 'name'],
      context,
    )
    options.forEach(({ values }, place) => {
      reportDuplicates(values, (index) => [place, 'values', index], context)
    })
  })
  .meta({ description: 'Options in which the variants differ. Empty for a product with one variant.' })

/** Adds a validation error for each text that equals an earlier text, regardless of case. */
export function reportDuplicates(
  texts: readonly (string | undefined)[],
  pathOf: (index: number) => PropertyKey[],
  context: z.core.$RefinementCtx,
): void {
  const seen = new Set<string>()
  texts.forEach((each, index) => {
    if (each === undefined) return
    const key = each.toLowerCase()
    if (seen.has(key)) {
      const message = `Must not repeat ${each}.`
      context.addIssue({ code: 'custom', path: pathOf(index), message, params: { problem: 'duplicate' } })
    }
    seen.add(key)
  })
}

const imageUrl = httpsUrl('URL of the image.', 'https://cdn.example.com/ankara-maxi.jpg')

const imageAlt = text('Alternative text of the image.', {
  isPersonal: false,
  max: 500,
  example: 'Front view',
})

/** Image in a product update: a new image, or an existing image by its id. */
export const ImageInput = named(
  'ProductImageInput',
  z.strictObject({
    id: ImageId.optional().meta({
      description: 'Identifier of an existing image. Leave the id out to add a new image.',
    }),
    url: imageUrl,
    alt: imageAlt.optional(),
  }),
)

export const NewImageInput = named('NewProductImageInput', z.strictObject({ url: imageUrl, alt: imageAlt.optional() }))

export const variantFields = {
  sku: impersonalText()
    .min(1)
    .max(100)
    // Only ASCII is allowed, so that case-insensitive comparisons of SKUs have the same result in the service and in
    // PostgreSQL.
    .regex(/^[!-~]+( [!-~]+)*$/, {
      error: 'Must be printable ASCII characters, without leading, trailing or repeated spaces.',
    })
    .meta({
      description: 'Stock keeping unit. Unique per merchant among products that are not archived, regardless of case.',
      examples: ['ANK-MAX-M-IND'],
    }),
  optionValues: z.record(z.string(), optionValue).meta({
    description: 'Value that the variant has for each option of the product.',
    examples: [{ size: 'M', colour: 'Indigo' }],
  }),
  priceKobo: kobo('Price of one unit.'),
  compareAtPriceKobo: kobo(
    'Regular price of one unit, while it is sold at a lower price. Must be higher than `priceKobo`.',
    {
      example: 1_800_000,
    },
  ),
  costKobo: kobo('Cost of one unit for the merchant.', { example: 900_000 }),
  barcode: text('Barcode: a GTIN, an EAN or a code of the merchant.', {
    isPersonal: false,
    max: 64,
    example: '6154000012345',
  }),
  weightGrams: z
    .int()
    .min(0)
    .max(1_000_000)
    .meta({ description: 'Shipping weight of one unit, in grams.', examples: [450] }),
  imageId: ImageId,
  tracked: z.boolean().meta({
    description: 'Whether the stock of the variant is tracked. Untracked stock never runs out.',
    examples: [true],
  }),
  allowBackorder: z
    .boolean()
    .meta({ description: 'Whether orders may exceed the available quantity of the variant.', examples: [false] }),
  onHand: z
    .int()
    .min(0)
    .max(onHandMax)
    .meta({ description: 'On-hand quantity.', examples: [20] }),
}

export const inventoryFields = {
  tracked: variantFields.tracked,
  onHand: variantFields.onHand,
  reserved: z
    .int()
    .min(0)
    .meta({ description: 'Number of units of the variant that orders reserve.', examples: [0] }),
  available: z.int().meta({
    description: 'Available quantity: `onHand` minus `reserved`. Negative if more is reserved than is on hand.',
    examples: [20],
  }),
  lowStockThreshold: nullable(productFields.lowStockThreshold).meta({
    description:
      'Low-stock threshold of the variant. When null, the threshold of the product applies, or that of the merchant if the product has none.',
  }),
  allowBackorder: variantFields.allowBackorder,
  low: z.boolean().meta({
    description: 'Whether the stock of the variant is low: at or below the low-stock threshold.',
    examples: [false],
  }),
}

const Inventory = named('Inventory', z.object(inventoryFields).meta({ description: 'Stock of a variant.' }))

export const Variant = named(
  'Variant',
  z
    .object({
      id: VariantId,
      sku: variantFields.sku,
      title: impersonalText()
        .max(200)
        .meta({
          description: 'Title of the variant: its option values, in the order of the options.',
          examples: ['M / Indigo'],
        }),
      optionValues: variantFields.optionValues,
      priceKobo: variantFields.priceKobo,
      compareAtPriceKobo: nullable(variantFields.compareAtPriceKobo).meta({
        description: 'Regular price of one unit, in kobo, if the unit is sold at a lower price. Null otherwise.',
      }),
      costKobo: nullable(variantFields.costKobo).meta({
        description: 'Cost of one unit for the merchant, in kobo. Null if unknown.',
      }),
      barcode: nullable(variantFields.barcode).meta({
        description: 'Barcode of the variant: a GTIN, an EAN or a code of the merchant. Null without a barcode.',
      }),
      weightGrams: nullable(variantFields.weightGrams).meta({
        description: 'Shipping weight of one unit, in grams. Null if unknown.',
      }),
      imageId: nullable(ImageId).meta({
        description: 'Identifier of the product image that shows the variant. Null without an image.',
      }),
      position: z
        .int()
        .min(0)
        .meta({
          description: 'Sort position among the variants of the product, lowest first. Deleted variants leave gaps.',
          examples: [0],
        }),
      inventory: Inventory,
    })
    .meta({ description: 'Variant of a product, with its option values, price and stock.' }),
)

export type Variant = z.output<typeof Variant>

const ProductImage = named(
  'ProductImage',
  z.object({
    id: ImageId,
    url: imageUrl,
    alt: nullable(imageAlt).meta({ description: 'Alternative text of the image. Null without a text.' }),
    position: z
      .int()
      .min(0)
      .meta({
        description: 'Position among the images of the product, starting at 0 for the main image.',
        examples: [0],
      }),
    variantIds: z.array(VariantId).meta({ description: 'Identifiers of the variants that show the image.' }),
  }),
)

export type ProductImage = z.output<typeof ProductImage>

const nullableTime = (description: string) => nullable(timestamp(description)).meta({ description })

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
      options: z
        .array(ProductOption)
        .max(productOptionsMax)
        .meta({ description: 'Options in which the variants differ.' }),
      variants: z
        .array(Variant)
        .max(productVariantsMax)
        .meta({ description: 'Variants of the product. Only a draft may have no variant.' }),
      images: z.array(ProductImage).max(productImagesMax).meta({ description: 'Images of the product.' }),
      category: nullable(productFields.category).meta({
        description: 'Category of the product. Null without a category.',
      }),
      brand: nullable(productFields.brand).meta({ description: 'Brand of the product. Null without a brand.' }),
      tags: productFields.tags,
      priceRange: nullable(
        z.object({
          minKobo: kobo('Lowest price among the variants of the product.'),
          maxKobo: kobo('Highest price among the variants of the product.'),
        }),
      ).meta({
        description: 'Price range of the variants. Null without variants.',
      }),
      totalAvailable: z.int().meta({
        description: 'Total available quantity of the variants with tracked stock.',
        examples: [20],
      }),
      lowStockThreshold: nullable(productFields.lowStockThreshold).meta({
        description:
          'Low-stock threshold for variants that have no threshold of their own. When null, the threshold of the merchant applies.',
      }),
      taxExempt: productFields.taxExempt,
      metadata: Metadata,
      version: z
        .int()
        .min(1)
        .meta({
          description:
            'Version of the product, incremented with each change of the product or a variant. A change of stock does not change the version.',
          examples: [3],
        }),
      publishedAt: nullableTime('When the product first became `active`. Null until then.'),
      archivedAt: nullableTime('When the product became `archived`. Null unless the product is archived.'),
      createdAt: timestamp('When the product was created.'),
      updatedAt: timestamp(
        'When the product or one of its variants last changed. A change of stock does not change this time.',
      ),
    })
    .meta({ description: 'Product with its variants, prices and stock.' }),
)

export type Product = z.output<typeof Product>
