import type { ReplyBody, TestApi } from '../../support/api.ts'
import type { PageReply, SignedInMember } from '../../support/dashboard.ts'
import { signedIn } from '../../support/dashboard.ts'
import { formValuesOf } from '../../support/form-values.ts'
import { openShop, type Shop, type Stocked, stockVariant } from '../../support/shop.ts'

export const path = '/dashboard/orders/new'

export const buyer = { name: 'Adaeze Okafor', email: 'adaeze.okafor@example.com', phone: '0803 123 4567' }

export const quantityOf = ({ variantId }: Pick<Stocked, 'variantId'>) => `quantity-${variantId}`

type Fields = Readonly<Record<string, string>>

/** A shop that sells a dress, with a member who enters new orders. */
export interface NewOrder {
  readonly shop: Shop
  readonly member: SignedInMember
  /** A variant with five units at ₦15,000 each. */
  readonly dress: Stocked
  /** Calls the API with the token of the shop. Returns the body of the response. */
  readonly call: (method: 'GET' | 'POST' | 'PATCH', address: string, body?: object) => Promise<ReplyBody>
  readonly listOrders: () => Promise<ReplyBody>
  /** Submits the form of a page, as a browser does when the member has changed some fields and pressed a button. */
  readonly submit: (page: PageReply, fields: Fields, intent?: string) => Promise<PageReply>
  /** Opens the form, enters a new buyer and one dress, and returns the page with the total. */
  readonly previewed: (fields?: Fields) => Promise<PageReply>
}

export async function openNewOrder(api: TestApi): Promise<NewOrder> {
  const shop = await openShop(api.context)
  const member = await signedIn(api, shop.merchantId, 'operations')
  const dress = await stockVariant(api, shop.merchantId, { priceKobo: 1_500_000, onHand: 5 })
  const call: NewOrder['call'] = async (method, address, body) =>
    (await api.send(method, `/api/v1${address}`, { token: shop.token, ...(body === undefined ? {} : { body }) })).body
  const submit: NewOrder['submit'] = (page, fields, intent = 'preview') =>
    member.post(path, { ...formValuesOf(page.text, path), intent, ...fields })
  return {
    ...{ shop, member, dress, call, submit },
    listOrders: async () => (await call('GET', '/orders')).data,
    previewed: async (fields = {}) => submit(await member.get(path), { ...buyer, [quantityOf(dress)]: '1', ...fields }),
  }
}
