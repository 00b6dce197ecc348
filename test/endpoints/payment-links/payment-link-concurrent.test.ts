import { expect, test } from 'vitest'
import { answers } from '../../support/answers.ts'
import { type Reply, useApi } from '../../support/api.ts'
import { openLinkShop } from '../../support/commerce/payment-links.ts'
import { exchangeableProvider } from '../../support/commerce/paystack.ts'

const exchanged = exchangeableProvider()
const started = useApi({ provider: exchanged.provider })
const open = () => openLinkShop(started(), exchanged)

test('only one of eight concurrent requests for a payment link creates a page, and the others return the same link', async () => {
  const { server, create } = await open()
  const replies = await Promise.all(Array.from({ length: 8 }, () => create()))
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
  for (const { status, body } of replies) expect(body.status).toBe(status === 202 ? 'pending' : 'open')
  expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1)
  expect(server.checkouts).toHaveLength(1)
  const again = await create()
  expect([again.status, again.body.url]).toEqual([200, server.checkouts[0]?.url])
})

/** Sends a request to the service while Paystack creates the page of a payment link. */
async function createDuring(opened: Awaited<ReturnType<typeof open>>, send: () => Promise<Reply>): Promise<Reply> {
  opened.server.onRequest = async () => {
    opened.server.onRequest = () => undefined
    const { status, text } = await send()
    expect(status, text).toBeLessThan(300)
  }
  return opened.create()
}

test.for([
  ['is paid', 'payByHand', 'paid'],
  ['is cancelled', 'cancel', 'cancelled'],
  ['is edited', 'double', undefined],
] as const)('createPaymentLink returns 409 payment_link_outdated when the order %s while Paystack creates the page', async ([
  ,
  change,
  reason,
]) => {
  const opened = await open()
  answers('createPaymentLink', 'payment_link_outdated', await createDuring(opened, () => opened[change]()))
  answers('getPaymentLink', 'payment_link_not_found', await opened.get())
  const repeated = await opened.create()
  if (reason === undefined) expect(repeated.body).toMatchObject({ status: 'open', amountKobo: 2_000_000 })
  else expect(repeated.body.error.details).toEqual({ reason })
})

test('if the order changes while Paystack creates the payment page and the amount due stays the same, the payment link is open', async () => {
  const opened = await open()
  const { api, shop, orderPath } = opened
  const note = () => api.send('PATCH', orderPath, { token: shop.token, body: { note: 'Wrap it.' } })
  expect((await createDuring(opened, note)).body).toMatchObject({ status: 'open', amountKobo: 1_000_000 })
})

test.for([
  'payByHand',
  'cancel',
  'double',
] as const)('a payment link that is created while its order changes (%s) is open only if its amount is the order’s amount due', async (change) => {
  for (let round = 0; round < 4; round++) {
    const { create, get, readOrder, ...order } = await open()
    const changing = round % 2 === 0 ? order[change]() : undefined
    const [created, changed] = await Promise.all([create(), changing ?? order[change]()])
    expect(changed.status, changed.text).toBeLessThan(300)
    expect([201, 409]).toContain(created.status)
    const { status, balanceKobo } = await readOrder()
    const { body: link } = await get()
    if (link.status === 'open') expect([status, link.amountKobo]).toEqual(['pending', balanceKobo])
    else expect(['void', undefined]).toContain(link.status)
  }
})

test('a payment link that was replaced while Paystack created its page stays replaced, and the newer payment link is open', async () => {
  const opened = await open()
  const { api, create, get, provider } = opened
  let isFirst = true
  exchanged.use({
    ...provider,
    createCheckout: async (...request) => {
      if (isFirst) {
        isFirst = false
        api.clock.advance(60_000)
        expect((await create()).status).toBe(201)
      }
      return provider.createCheckout(...request)
    },
  })
  answers('createPaymentLink', 'payment_link_outdated', await create())
  expect((await get()).body).toMatchObject({ status: 'open', url: 'https://checkout.paystack.com/page1' })
})
