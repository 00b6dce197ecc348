import { beforeEach, expect } from 'vitest'
import { useApi } from '../../support/api.ts'
import { type Fields, type SignedInMember, signedIn } from '../../support/dashboard.ts'
import { formFieldsOf } from '../../support/form-values.ts'
import { orderTo, plainPhone } from '../../support/logistics/parcel-run.ts'
import { mintToken, openShop, placeOrder, type Shop } from '../../support/shop.ts'
import { selectTestMode } from '../full-shop.ts'

/** The path to which the dispatch form for several orders is submitted. */
export const dispatchPath = '/dashboard/orders/dispatch'

export const orderList = '/dashboard/orders'

export function dispatchPathOf(id: string): string {
  return `${orderList}/${id}/dispatch`
}

/** Returns the prices of the offers on a page, in naira. */
export function pricesIn(text: string) {
  return [...text.matchAll(/<strong><span class="money">₦([\d,.]+)</g)].map(([, price]) => price)
}

/**
 * Opens a shop in test mode with simulated carriers and an owner before each test, and returns functions that dispatch
 * the orders of the shop.
 */
export function useDispatchShop() {
  const api = useApi()
  let shop: Shop
  let owner: SignedInMember
  let liveId: Shop['merchantId']
  beforeEach(async () => {
    const opened = await openShop(api().context)
    liveId = opened.merchantId
    const tenant = { merchantId: opened.testMerchantId, mode: 'test' } as const
    const { id: tokenId, token } = await mintToken(api().context, tenant, {})
    shop = { ...opened, tenant, merchantId: opened.testMerchantId, token, tokenId }
    owner = await signedIn(api(), liveId, 'owner')
    await selectTestMode(owner)
  })

  async function processingOrder(phone?: string): Promise<string> {
    const id = await orderTo(api(), shop, phone)
    expect((await orderOf(id)).status).toBe('processing')
    return id
  }

  /** Places an order that is paid on delivery. */
  async function orderOnDelivery(): Promise<string> {
    const shippingAddress = {
      ...{ recipientName: 'Bisi Ade', phone: plainPhone, line1: '12 Admiralty Way' },
      ...{ city: 'Lekki', state: 'Lagos' },
    }
    const body = { paymentMethod: 'pay_on_delivery', shippingAddress }
    return (await placeOrder(api(), shop, { isPaid: false, body })).id
  }

  async function orderOf(id: string) {
    return (await api().send('GET', `/api/v1/orders/${id}`, { token: shop.token })).body
  }

  async function shipmentsOf(id: string) {
    return (await api().send('GET', `/api/v1/logistics/shipments?orderId=${id}`, { token: shop.token })).body.data
  }

  function fieldsOf(page: string) {
    return formFieldsOf(page, dispatchPath)
  }

  /** Chooses orders in the list and presses the button “Dispatch”, which leads to the offers. */
  async function offersFor(ids: readonly string[], more: Fields = {}) {
    const { csrf = [], form = [], tenant = [] } = fieldsOf((await owner.get(dispatchPathOf(ids[0] ?? ''))).text)
    return submitted({ csrf, form, tenant, id: ids, ...more })
  }

  /** Submits the dispatch form. Returns the page to which it leads, or the form with its problem. */
  async function submitted(fields: Fields) {
    const reply = await owner.post(dispatchPath, fields)
    return reply.location === undefined ? reply : owner.get(reply.location)
  }

  return {
    ...{ api, shop: () => shop, owner: () => owner, liveId: () => liveId },
    ...{ processingOrder, orderOnDelivery, orderOf, shipmentsOf, fieldsOf, offersFor, submitted },
  }
}
