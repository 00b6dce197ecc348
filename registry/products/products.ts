import { z } from 'zod'
import { list, queryBoolean, queryChoices, queryInteger, read, write } from '../kit/endpoint.ts'
import { sampleIds, shownBy } from '../kit/sample-ids.ts'
import {
  amountMaxKobo,
  catalogueLimits,
  newProductLimits,
  productImagesMax,
  productVariantsMax,
} from '../values/limits.ts'
import { instant, Metadata, named, nullable, ProductId, text } from '../values/vocabulary.ts'
import {
  ImageInput,
  NewImageInput,
  Product,
  ProductStatus,
  productExample,
  productFields,
  productOptions,
  reportRepeated,
  variantFields,
} from './product.ts'
import { productStatuses, productTransitions } from './product-states.ts'
import { requireDearer, variantInput } from './variants.ts'

const priceBounds = { min: 0, max: amountMaxKobo }

export const listProducts = list({
  id: 'listProducts',
  path: '/products',
  tag: 'Products',
  summary: 'List products',
  description:
    'Returns products with their variants, prices and stock, newest first. Drafts and archived products are included ' +
    'unless `status` filters them.',
  access: 'products:read',
  filters: z.strictObject({
    status: queryChoices(
      productStatuses,
      'Only products in one of these states; those that are not archived when left out.',
    ).optional(),
    q: text('Finds a part of the title, brand, category or of a variant’s SKU.', {
      isPersonal: false,
      min: 2,
      max: 100,
      example: 'ankara',
    }).optional(),
    sku: variantFields.sku.optional().meta({ description: 'Only the product with this SKU, whatever its case.' }),
    category: productFields.category.optional().meta({ description: 'Only this category, whatever its case.' }),
    tag: text('Only products with this tag.', { isPersonal: false, max: 40, example: 'ankara' }).optional(),
    inStock: queryBoolean('Only products of which something, or with `false` nothing, can be sold now.').optional(),
    lowStock: queryBoolean('Only products with a variant whose stock is low, or with `false` without one.').optional(),
    priceMinKobo: queryInteger({
      ...priceBounds,
      description: 'Only products with a variant at this price or more, in kobo.',
      example: 1_000_000,
    }).optional(),
    priceMaxKobo: queryInteger({
      ...priceBounds,
      description: 'Only products with a variant at this price or less, in kobo. With both, one variant fits both.',
      example: 2_000_000,
    }).optional(),
    createdFrom: instant('Only products created at this moment or later.').optional(),
    createdTo: instant('Only products created before this moment.').optional(),
    updatedFrom: instant('Only products changed at this moment or later, stock aside.').optional(),
  }),
  refusals: ['invalid_time_range'],
  item: Product,
  pageName: 'ProductPage',
  example: productExample,
})

export const getProduct = read({
  id: 'getProduct',
  path: '/products/{id}',
  tag: 'Products',
  summary: 'Get a product',
  description:
    'Returns a product with its variants, prices and stock. Send its `ETag` as `If-Match` with a change to detect ' +
    'concurrent changes. A change of stock does not change the `ETag` version.',
  access: 'products:read',
  params: z.strictObject({ id: ProductId }),
  refusals: ['product_not_found'],
  stateMachine: { field: 'status', transitions: productTransitions },
  reply: { body: Product, meaning: 'The product.', example: productExample },
})

/** The image has no id yet when the product is new, so it goes by its place. */
const NewVariantInput = named(
  'NewVariantInput',
  z
    .strictObject({
      ...variantInput,
      imagePosition: z
        .int()
        .min(0)
        .max(productImagesMax - 1)
        .optional()
        .meta({ description: 'Which of `images` is its picture; 0 is the first.', examples: [0] }),
    })
    .superRefine(requireDearer)
    .meta({ description: 'A variant of a new product.' }),
)

const ProductInput = named(
  'ProductInput',
  z
    .strictObject({
      title: productFields.title,
      slug: productFields.slug.optional().meta({ description: 'Its name in a URL; made of the title when left out.' }),
      description: productFields.description.optional(),
      status: z
        .enum(['draft', 'active'])
        .optional()
        .meta({ description: '`draft` when left out.', examples: ['active'] }),
      options: productOptions.optional(),
      variants: z
        .array(NewVariantInput)
        .min(1)
        .max(productVariantsMax)
        .optional()
        .meta({ description: 'What can be bought of it.' }),
      images: z.array(NewImageInput).max(productImagesMax).optional().meta({ description: 'Its pictures.' }),
      category: productFields.category.optional(),
      brand: productFields.brand.optional(),
      tags: productFields.tags.optional(),
      lowStockThreshold: productFields.lowStockThreshold.optional(),
      taxExempt: productFields.taxExempt.optional(),
      metadata: Metadata.optional(),
    })
    .superRefine((product, context) => {
      const variants = product.variants ?? []
      if (product.status === 'active' && variants.length === 0) {
        const message = 'An active product needs at least one variant.'
        context.addIssue({ code: 'custom', path: ['variants'], message, params: { problem: 'required' } })
      }
      reportRepeated(
        variants.map(({ sku }) => sku),
        (index) => ['variants', index, 'sku'],
        context,
      )
      const options = product.options ?? []
      const seen = new Set<string>()
      variants.forEach((variant, index) => {
        const path = ['variants', index]
        if (variant.imagePosition !== undefined && variant.imagePosition >= (product.images ?? []).length) {
          const message = 'There is no such image in `images`.'
          context.addIssue({ code: 'custom', path: [...path, 'imagePosition'], message })
        }
        const values = new Map(Object.entries(variant.optionValues ?? {}))
        const isFitting =
          values.size === options.length &&
          options.every((option) => option.values.some((value) => value === values.get(option.name)))
        if (!isFitting) {
          const message = 'Must have exactly one of the values of each option.'
          context.addIssue({ code: 'custom', path: [...path, 'optionValues'], message })
          return
        }
        const key = JSON.stringify(options.map(({ name }) => values.get(name)))
        if (seen.has(key)) {
          const message = 'Another variant has the same option values.'
          const params = { problem: 'duplicate' }
          context.addIssue({ code: 'custom', path: [...path, 'optionValues'], message, params })
        }
        seen.add(key)
      })
    }),
)

export type ProductInput = z.output<typeof ProductInput>

export const createProduct = write({
  id: 'createProduct',
  path: '/products',
  tag: 'Products',
  summary: 'Create a product',
  description:
    'Creates a product with its variants and their opening stock. Each variant has one value for each option. If left ' +
    'out, `slug` is derived from the title and `sku` is generated. A repeated request with the same slug or SKU is ' +
    'rejected, and the error names the first product or variant.',
  access: 'products:write',
  body: {
    schema: ProductInput,
    limits: newProductLimits,
    example: {
      title: 'Ankara maxi dress',
      status: 'active',
      options: [{ name: 'size', values: ['M', 'L'] }],
      variants: [
        { sku: 'ANK-MAX-M', optionValues: { size: 'M' }, priceKobo: 1500000, inventory: { onHand: 20 } },
        { sku: 'ANK-MAX-L', optionValues: { size: 'L' }, priceKobo: 1600000, inventory: { onHand: 12 } },
      ],
      images: [{ url: 'https://cdn.example.com/ankara-maxi.jpg', alt: 'Front view' }],
      category: 'Dresses',
      tags: ['ankara', 'women'],
    },
  },
  reply: { status: 201, body: Product, meaning: 'The product.', example: productExample, location: '/products/{id}' },
  refusals: ['slug_in_use', 'sku_in_use'],
  emits: [],
  audits: { action: 'product.create', resourceType: 'product' },
})

const ProductPatch = named(
  'ProductPatch',
  z
    .strictObject({
      title: productFields.title.optional(),
      slug: productFields.slug.optional(),
      description: productFields.description.optional(),
      status: ProductStatus.optional(),
      options: productOptions.optional(),
      images: z
        .array(ImageInput)
        .max(productImagesMax)
        .superRefine((images, context) => {
          reportRepeated(
            images.map(({ id }) => id),
            (index) => [index, 'id'],
            context,
          )
        })
        .optional()
        .meta({ description: 'All its pictures from now on; those that are not named are gone.' }),
      category: nullable(productFields.category).optional().meta({ description: 'The shelf it is on; null for none.' }),
      brand: nullable(productFields.brand).optional().meta({ description: 'Who made it; null for nobody named.' }),
      tags: productFields.tags.optional(),
      lowStockThreshold: nullable(productFields.lowStockThreshold).optional().meta({
        description: 'For variants without one of their own; null leaves it to the merchant’s setting.',
      }),
      taxExempt: productFields.taxExempt.optional(),
      metadata: Metadata.optional(),
    })
    .meta({ description: 'What is left out stays; lists and metadata are replaced as a whole.' }),
)

export type ProductPatch = z.output<typeof ProductPatch>

export const updateProduct = write({
  id: 'updateProduct',
  method: 'PATCH',
  path: '/products/{id}',
  tag: 'Products',
  summary: 'Update a product',
  description:
    'Changes, activates or archives a product. Fields that are left out keep their values. An option that is new sets ' +
    'its first value on every existing variant; an option left out of `options` is removed from the variants. ' +
    'Archiving frees the SKUs for other products, and activating claims them again.',
  access: 'products:write',
  params: z.strictObject({ id: shownBy(ProductId, sampleIds.productToArchive) }),
  body: { schema: ProductPatch, limits: catalogueLimits, example: { status: 'archived' } },
  reply: {
    status: 200,
    body: Product,
    meaning: 'The product as it is now.',
    example: { ...productExample, id: sampleIds.productToArchive, status: 'archived' },
  },
  refusals: [
    'product_not_found',
    'image_not_found',
    'invalid_transition',
    'product_needs_variant',
    'options_in_use',
    'slug_in_use',
    'sku_in_use',
  ],
  emits: ['inventory.low_stock'],
  ifMatch: 'honoured',
  audits: { action: 'product.update', resourceType: 'product' },
})

const DeletedProduct = named(
  'DeletedProduct',
  z
    .object({
      id: ProductId,
      deleted: z.literal(true).meta({ description: 'Always true.', examples: [true] }),
    })
    .meta({ description: 'What is left of a product that was deleted.' }),
)

export const deleteProduct = write({
  id: 'deleteProduct',
  method: 'DELETE',
  path: '/products/{id}',
  tag: 'Products',
  summary: 'Delete a product',
  description:
    'Deletes a draft that was never ordered. Archive any other product, because orders may refer to it. The stock ' +
    'ledger keeps its entries.',
  access: 'products:write',
  params: z.strictObject({ id: shownBy(ProductId, sampleIds.productToDelete) }),
  reply: {
    status: 200,
    body: DeletedProduct,
    meaning: 'The product is gone.',
    example: { id: sampleIds.productToDelete, deleted: true },
  },
  refusals: ['product_not_found', 'product_in_use'],
  emits: [],
  ifMatch: 'honoured',
  audits: { action: 'product.delete', resourceType: 'product' },
})
