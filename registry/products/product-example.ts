import type { z } from 'zod'
import type { Product } from './product.ts'

/** Example product, used wherever the OpenAPI document shows a product. */
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
