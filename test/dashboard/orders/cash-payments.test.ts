import { expect, test } from 'vitest'
import { pickupInputExample } from '../../../registry/logistics/quote-example.ts'
import { testCarriers } from '../../../registry/service/test-carriers.ts'
import { useApi } from '../../support/api.ts'
import { signedIn } from '../../support/dashboard.ts'
import { inOrder, pass, plainPhone, post } from '../../support/logistics/parcel-run.ts'
import { textOf } from '../../support/page-text.ts'
import { mintToken, openShop, placeOrder } from '../../support/shop.ts'
import { selectTestMode } from '../full-shop.ts'

const api = useApi({ sendsCallbacks: true })

test('for a payment in cash to the rider, the page of the order names the carrier that collected the cash', async () => {
  const opened = await openShop(api().context)
  const tenant = { merchantId: opened.testMerchantId, mode: 'test' } as const
  const { id: tokenId, token } = await mintToken(api().context, tenant, {})
  const shop = { ...opened, tenant, merchantId: opened.testMerchantId, token, tokenId }
  const member = await signedIn(api(), opened.merchantId, 'viewer')
  await selectTestMode(member)
  const shippingAddress = { recipientName: 'Bisi Ade', phone: plainPhone, line1: '12 Admiralty Way', city: 'Lekki' }
  const body = { paymentMethod: 'pay_on_delivery', shippingAddress: { ...shippingAddress, state: 'Lagos' } }
  const { id } = await placeOrder(api(), shop, { isPaid: false, priceKobo: 1_000_000, body })
  const parcel = { reference: 'cash-1', orderId: id, codAmountKobo: 1_000_000, pickup: pickupInputExample }
  const dispatched = await post(api(), shop, 'dispatch', { ...parcel, ...inOrder(['simulator-swift']) })
  expect(dispatched.status, dispatched.text).toBe(201)
  await pass(api(), 300)
  const text = textOf((await member.get(`/dashboard/orders/${id}`)).text)
  const { name } = testCarriers['simulator-swift']
  expect(text).toContain(`${name} carrier`)
  expect(text).toContain(`reference ${dispatched.body.id} , recorded by ${name}.`)
  expect(text).not.toContain('unknown')
})
