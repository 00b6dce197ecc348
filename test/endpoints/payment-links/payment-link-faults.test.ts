import { expect, test } from 'vitest'
import type { Fault } from '../../partners/payments/faults.ts'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { openLinkShop } from '../../support/commerce/payment-links.ts'
import { exchangeableProvider } from '../../support/commerce/paystack.ts'
import { auditRows } from '../../support/database-contents.ts'

const exchanged = exchangeableProvider()
const started = useApi({ provider: exchanged.provider })
const open = () => openLinkShop(started(), exchanged)

test.for<Fault>([
  'accepts_and_never_answers',
  'accepts_and_breaks_off',
  'accepts_and_answers_500',
  'accepts_and_answers_nonsense',
  'never_answers',
  'answers_500',
  'answers_502_as_html',
  'answers_429',
  'answers_401',
])('createPaymentLink returns 503 when Paystack %s, and a repeated request creates a page with a new reference', async (fault) => {
  const { api, shop, server, create, get } = await open()
  server.failCheckouts(fault)
  const failed = await create()
  answers('createPaymentLink', 'payment_provider_unavailable', failed)
  expect(failed.headers.get('service-should-retry')).toBe('true')
  answers('getPaymentLink', 'payment_link_not_found', await get())
  const repeated = await create()
  expect([repeated.status, repeated.body.status]).toEqual([201, 'open'])
  expect(server.checkouts).toHaveLength(fault.startsWith('accepts') ? 2 : 1)
  expect(server.checkouts.at(-1)).toMatchObject({ url: repeated.body.url, reference: repeated.body.reference })
  const actions = (await auditRows(api, shop.merchantId)).map(({ action }) => action)
  expect(actions.filter((action) => action.startsWith('payment_link')).toSorted()).toEqual([
    ...['payment_link.create', 'payment_link.create', 'payment_link.open', 'payment_link.withdraw'],
  ])
})

test('createPaymentLink returns 409 payment_link_rejected with the reason of the provider, and leaves no link', async () => {
  const { server, create, get } = await open()
  server.failCheckouts('refuses')
  const reply = await create()
  answers('createPaymentLink', 'payment_link_rejected', reply)
  expect(reply.body.error.details).toEqual({ providerCode: 'transaction_reversed' })
  expect(reply.body.error.message).toContain('Transaction has been fully reversed')
  answers('getPaymentLink', 'payment_link_not_found', await get())
})

test('if the process ends before it stores Paystack’s response, the payment link stays pending, and a request after a minute replaces it', async () => {
  const { api, provider, create, get } = await open()
  // Paystack creates the page, and the process then ends before it stores the URL of the page.
  exchanged.use({
    ...provider,
    createCheckout: async (...request) => {
      await provider.createCheckout(...request)
      throw new Error('The process ends.')
    },
  })
  expect((await create()).status).toBe(500)
  const pending = (await get()).body
  expect(pending).toMatchObject({ status: 'pending', url: null })
  const inProgress = await create()
  expect([inProgress.status, inProgress.body]).toEqual([202, pending])
  expect(inProgress.headers.get('location')).toBe(`/api/v1/orders/${pending.orderId}/payment-link`)
  api.clock.advance(60_000)
  expect((await create()).status).toBe(500)
  expect((await get()).body.id).not.toBe(pending.id)
})
