import { expect } from 'vitest'
import type { ReplyBody, TestApi } from '../../support/api.ts'
import type { SignedInMember } from '../../support/dashboard.ts'
import type { Shop } from '../../support/shop.ts'

export const dress = {
  ...{ title: 'Ankara maxi dress', status: 'active', options: [{ name: 'Size', values: ['M', 'L', 'XL'] }] },
  images: [{ url: 'https://cdn.example.com/ankara.jpg', alt: 'Front view' }],
  variants: [
    { sku: 'ANK-M', optionValues: { Size: 'M' }, priceKobo: 1_500_000, inventory: { onHand: 20 } },
    { sku: 'ANK-L', optionValues: { Size: 'L' }, priceKobo: 1_600_000, inventory: { onHand: 12 } },
  ],
}

interface Opened {
  readonly shop: Shop
  readonly member: SignedInMember
  readonly product: ReplyBody
}

/** Returns functions that use a product through the API and on its page in the dashboard. */
export function productActions(api: () => TestApi, opened: () => Opened) {
  async function call(method: string, path: string, body?: object) {
    const reply = await api().send(method, `/api/v1${path}`, {
      token: opened().shop.token,
      ...(body === undefined ? {} : { body }),
    })
    expect(reply.status, reply.text).toBeLessThan(300)
    return reply.body
  }

  const pageOf = (path = '') => `/dashboard/products/${opened().product.id}${path}`

  /** The values that the fields of the table have when the page is opened. */
  function typed(): Record<string, string> {
    const rows = opened().product.variants.flatMap(({ id, priceKobo, inventory }: ReplyBody) => [
      [`price-${id}`, `${priceKobo / 100}.00`],
      [`onHand-${id}`, String(inventory.onHand)],
    ])
    return { reason: 'count', ...Object.fromEntries(rows) }
  }

  return {
    call,
    create: (body: object) => call('POST', '/products', body),
    stored: () => call('GET', `/products/${opened().product.id}`),
    pageOf,
    variantOf: (place: number) => opened().product.variants[place].id,
    typed,
    save: (fields: Record<string, string>) => opened().member.submit(pageOf(), pageOf(), { ...typed(), ...fields }),
  }
}
