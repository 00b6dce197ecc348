import { z } from 'zod'
import { list, read, write } from '../kit/endpoint.ts'
import { changesFound, queryBoolean, queryChoices, queryInteger } from '../kit/query.ts'
import { sampleIds, withExampleId } from '../kit/sample-ids.ts'
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
  productFields,
  productOptions,
  reportDuplicates,
  variantFields,
} from './product.ts'
import { productExample } from './product-example.ts'
import { productStatuses, productTransitions } from './product-states.ts'
import { requireHigherCompareAtPrice, variantInput } from './variants.ts'

const priceBounds = { min: 0, max: amountMaxKobo }

export const listProducts = list({
  id: 'listProducts',
  path: '/products',
  tag: 'Products',
  summary: 'List products',
  description:
    'Returns products with their variants, prices and stock, newest first. Without `status`, drafts are included and ' +
    'archived products are not.',
  access: 'products:read',
  filters: z.strictObject({
    status: queryChoices(
      productStatuses,
      'Returns only products with one of these statuses. When left out, products that are not archived.',
    ).optional(),
    q: text(
      'Search text: part of the title, the brand, the category or the SKU of a variant. Case and accents are ignored.',
      {
        isPersonal: false,
        min: 2,
        max: 100,
        example: 'ankara',
      },
    ).optional(),
    sku: variantFields.sku
      .optional()
      .meta({ description: 'Returns only the product with this SKU, regardless of case.' }),
    barcode: variantFields.barcode
      .optional()
      .meta({ description: 'Returns only products that have a variant with this barcode.' }),
    category: productFields.category.optional().meta({
      description: 'Returns only products in this category. Case and accents are ignored.',
    }),
    tag: text('Returns only products with this tag.', { isPersonal: false, max: 40, example: 'ankara' }).optional(),
    inStock: queryBoolean(
      '`true` returns only products with a variant that can be ordered: it is in stock, not tracked, or allows backorders. `false` returns only products without such a variant.',
    ).optional(),
    lowStock: queryBoolean(
      '`true` returns only products that have a variant with low stock, `false` only products that have none.',
    ).optional(),
    priceMinKobo: queryInteger({
      ...priceBounds,
      description: 'Returns only products with a variant at or above this price, in kobo.',
      example: 1_000_000,
    }).optional(),
    priceMaxKobo: queryInteger({
      ...priceBounds,
      description:
        'Returns only products with a variant at or below this price, in kobo. With both price filters, the same variant must match both.',
      example: 2_000_000,
    }).optional(),
    createdFrom: instant('Returns only products created at or after this time.').optional(),
    createdTo: instant('Returns only products created before this time.').optional(),
    updatedFrom: instant(
      `Returns only products whose \`updatedAt\` is at or after this time. A change of stock does not change \`updatedAt\`. ${changesFound}`,
    ).optional(),
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
    'Returns a product with its variants, prices and stock. To detect concurrent changes, send the `ETag` ' +
    'of the response as `If-Match` when you change the product. A change of stock does not change the `ETag` version.',
  access: 'products:read',
  params: z.strictObject({ id: ProductId }),
  refusals: ['product_not_found'],
  stateMachine: { field: 'status', transitions: productTransitions },
  reply: { body: Product, meaning: 'The product.', example: productExample },
})

/**
 * Variant of a new product. The variant refers to its image by the image’s position in the request, because the image
 * has no id yet.
 */
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
        .meta({ description: 'Position of the variant’s image in `images`, starting at 0.', examples: [0] }),
    })
    .superRefine(requireHigherCompareAtPrice)
    .meta({ description: 'Variant of a new product.' }),
)

const ProductInput = named(
  'ProductInput',
  z
    .strictObject({
      title: productFields.title,
      slug: productFields.slug.optional().meta({
        description: 'URL slug of the product. When left out, it is derived from the title.',
      }),
      description: productFields.description.optional(),
      status: z
        .enum(['draft', 'active'])
        .optional()
        .meta({ description: 'Status of the product. When left out, `draft`.', examples: ['active'] }),
      options: productOptions.optional(),
      variants: z
        .array(NewVariantInput)
        .min(1)
        .max(productVariantsMax)
        .optional()
        .meta({ description: 'Variants of the product. An active product must have at least one variant.' }),
      images: z
        .array(NewImageInput)
        .max(productImagesMax)
        .optional()
        .meta({ description: 'Images of the product. The first one is the main image.' }),
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
        const message = 'Is required for an active product.'
        context.addIssue({ code: 'custom', path: ['variants'], message, params: { problem: 'required' } })
      }
      reportDuplicates(
        variants.map(({ sku }) => sku),
        (index) => ['variants', index, 'sku'],
        context,
      )
      const options = product.options ?? []
      const seen = new Set<string>()
      variants.forEach((variant, index) => {
        const path = ['variants', index]
        if (variant.imagePosition !== undefined && variant.imagePosition >= (product.images ?? []).length) {
          const message = 'Must be the position of an image in `images`.'
          context.addIssue({ code: 'custom', path: [...path, 'imagePosition'], message })
        }
        const values = new Map(Object.entries(variant.optionValues ?? {}))
        const isComplete =
          values.size === options.length &&
          options.every((option) => option.values.some((value) => value === values.get(option.name)))
        if (!isComplete) {
          const message = 'Must have exactly one value of each option in `options`.'
          context.addIssue({ code: 'custom', path: [...path, 'optionValues'], message })
          return
        }
        const key = JSON.stringify(options.map(({ name }) => values.get(name)))
        if (seen.has(key)) {
          const message = 'Must differ from the option values of the other variants.'
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
    'out, `slug` is derived from the title and `sku` is generated. A repeated request with the same slug or SKU is rejected, and the error contains the id of the ' +
    'existing product or variant.',
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
          reportDuplicates(
            images.map(({ id }) => id),
            (index) => [index, 'id'],
            context,
          )
        })
        .optional()
        .meta({ description: 'All images of the product. Existing images that are not listed are removed.' }),
      category: nullable(productFields.category).optional().meta({
        description: 'Category of the product. Null removes the stored category.',
      }),
      brand: nullable(productFields.brand)
        .optional()
        .meta({ description: 'Brand of the product. Null removes the stored brand.' }),
      tags: productFields.tags.optional(),
      lowStockThreshold: nullable(productFields.lowStockThreshold).optional().meta({
        description:
          'Low-stock threshold for variants that have no threshold of their own. When null, the threshold of the merchant applies.',
      }),
      taxExempt: productFields.taxExempt.optional(),
      metadata: Metadata.optional(),
    })
    .meta({
      description:
        'Changes of a product. Fields that are left out keep their values; lists and metadata are replaced as a whole.',
    }),
)

export type ProductPatch = z.output<typeof ProductPatch>

export const updateProduct = write({
  id: 'updateProduct',
  method: 'PATCH',
  path: '/products/{id}',
  tag: 'Products',
  summary: 'Update a product',
  description:
    'Changes, activates or archives a product. Fields that are left out keep their values. Every existing variant gets the first value of a new option; an option left out of `options` is removed from the variants. ' +
    'After a product is archived, other products can use its SKUs. Activating the product reserves the SKUs again.',
  access: 'products:write',
  params: z.strictObject({ id: withExampleId(ProductId, sampleIds.productToArchive) }),
  body: { schema: ProductPatch, limits: catalogueLimits, example: { status: 'archived' } },
  reply: {
    status: 200,
    body: Product,
    meaning: 'The updated product.',
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
  emits: ['product.updated', 'inventory.low_stock'],
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
    .meta({ description: 'Deleted product.' }),
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
  params: z.strictObject({ id: withExampleId(ProductId, sampleIds.productToDelete) }),
  reply: {
    status: 200,
    body: DeletedProduct,
    meaning: 'The product that was deleted.',
    example: { id: sampleIds.productToDelete, deleted: true },
  },
  refusals: ['product_not_found', 'product_in_use'],
  emits: [],
  ifMatch: 'honoured',
  audits: { action: 'product.delete', resourceType: 'product' },
})
