import { beforeEach, expect, test } from 'vitest'
import { useApi } from '../support/api.ts'
import { type SignedInMember, signedIn } from '../support/dashboard.ts'
import { auditRows } from '../support/database-contents.ts'
import { storeShipment } from '../support/logistics/shipment.ts'
import { openShop, placeOrder, type Shop, stockVariant } from '../support/shop.ts'

/** The forms in which a member must choose a reason or a final status. */

const api = useApi()

let shop: Shop
let member: SignedInMember
beforeEach(async () => {
  shop = await openShop(api().context)
  member = await signedIn(api(), shop.merchantId, 'operations')
})

interface Tested {
  readonly form: string
  readonly open: () => Promise<string>
  /** Valid values of the untested fields. */
  readonly fields: Readonly<Record<string, string>>
  /** The field in which the member must choose. If undefined, the member must choose the reason. */
  readonly choice?: { readonly name: string; readonly prompt: string }
}

async function voidPath(): Promise<string> {
  const { id } = await placeOrder(api(), shop)
  const { data } = (await api().send('GET', `/api/v1/payments?orderId=${id}`, { token: shop.token })).body
  return `/payments/${data[0].id}/void`
}

const adjustPath = async () => `/stock/${(await stockVariant(api(), shop.merchantId, { onHand: 20 })).variantId}/adjust`
const orderPath = async (action: string) => `/orders/${(await placeOrder(api(), shop)).id}/${action}`
const shipmentPath = async (action: string) => `/shipments/${(await storeShipment(api(), shop)).id}/${action}`

const reason = { name: 'reason', prompt: 'Choose a reason' }
const status = { name: 'to', prompt: 'Choose a status' }
const note = 'Asked by phone'

const forms: readonly Tested[] = [
  { form: 'voids a payment', open: voidPath, fields: {} },
  { form: 'adjusts the stock', open: adjustPath, fields: { method: 'count', quantity: '7', note } },
  { form: 'cancels an order', open: () => orderPath('cancel'), fields: { note } },
  { form: 'refunds an order', open: () => orderPath('refund'), fields: { amount: '5000', note } },
  { form: 'cancels a shipment', open: () => shipmentPath('cancel'), fields: { note } },
  { form: 'closes a shipment', open: () => shipmentPath('close'), fields: { reason: note }, choice: status },
]

/** Values of the field that are no valid choice. An empty list stands for a missing field. */
const unchosenValues: readonly (readonly string[])[] = [[''], ['bogus'], []]

test.for(
  forms,
)('the form that $form preselects nothing; without a valid choice, the form is refused and shows the entered values again', async ({
  open,
  fields,
  choice: { name, prompt } = reason,
}) => {
  const path = `/dashboard${await open()}`
  const field = new RegExp(`<select id="f-${name}" name="${name}"[^>]*>.*?</select>`)
  const optionIn = (text: string) => selectedIn(field.exec(text)?.[0])
  expect(optionIn((await member.get(path)).text)).toEqual([prompt])
  const before = await auditRows(api(), shop.merchantId)
  for (const sent of unchosenValues) {
    const refused = await member.submit(path, path, { ...fields, [name]: sent })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain(`<p class="problem" id="p-${name}" role="alert">${prompt}.</p>`)
    expect(optionIn(refused.text)).toEqual(sent.includes('bogus') ? [] : [prompt])
    for (const value of Object.values(fields))
      expect(refused.text).toMatch(new RegExp(`value="${value}"|>\\s*${value}</textarea>`))
  }
  expect(await auditRows(api(), shop.merchantId)).toEqual(before)
})

function selectedIn(field: string | undefined): readonly string[] | undefined {
  return field === undefined ? undefined : [...field.matchAll(/ selected>([^<]*)</g)].map(([, label = '']) => label)
}
