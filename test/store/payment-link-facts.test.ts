import { describe, expect, test } from 'vitest'
import {
  type PaymentLinkFacts,
  type PaymentLinkStatus,
  paymentLinkStateOf,
  paymentLinkStatuses,
  paymentLinkTransitions,
} from '../../registry/orders/payment-link-states.ts'
import { useApi } from '../support/api.ts'
import { openLinkShop } from '../support/commerce/payment-links.ts'
import { exchangeableProvider } from '../support/commerce/paystack.ts'
import { select } from '../support/database-contents.ts'

/**
 * Tests that the facts of a payment link determine its status, and that the database rejects a change of a final fact.
 */

const exchanged = exchangeableProvider()
const started = useApi({ provider: exchanged.provider })

const booleans = [false, true]

/** All combinations of the facts about a payment link of 100 kobo. */
const combinations: readonly PaymentLinkFacts[] = booleans.flatMap((hasPage) =>
  booleans.flatMap((isPaid) =>
    booleans.flatMap((isExpired) =>
      booleans.flatMap((isKeyReplaced) =>
        (['pending', 'returned', 'cancelled'] as const).flatMap((orderStatus) =>
          [-50, 0, 50, 100].map((orderBalanceKobo) => {
            return { hasPage, isPaid, isExpired, isKeyReplaced, amountKobo: 100, orderStatus, orderBalanceKobo }
          }),
        ),
      ),
    ),
  ),
)

/**
 * Reports whether one transaction can change a payment link from one set of facts to another. A page is stored only for
 * a link that is open afterwards. A stored page, a payment, an expiry, a replaced key and a cancellation are never
 * undone.
 */
function mayFollow(before: PaymentLinkFacts, after: PaymentLinkFacts): boolean {
  if (before.hasPage !== after.hasPage && paymentLinkStateOf(after).status !== 'open') return false
  const isCancelled = ({ orderStatus }: PaymentLinkFacts) => orderStatus === 'cancelled'
  return (
    before.hasPage <= after.hasPage &&
    before.isPaid <= after.isPaid &&
    before.isExpired <= after.isExpired &&
    before.isKeyReplaced <= after.isKeyReplaced &&
    isCancelled(before) <= isCancelled(after)
  )
}

const pairs = paymentLinkStatuses.flatMap((from) =>
  paymentLinkStatuses.filter((to) => to !== from).map((to) => [from, to] as const),
)

test.for(
  pairs,
)('a payment link can change from the status %s to %s if and only if the published lifecycle contains this transition', ([
  from,
  to,
]) => {
  const isIn = (status: PaymentLinkStatus) => (facts: PaymentLinkFacts) => paymentLinkStateOf(facts).status === status
  const isPossible = combinations.filter(isIn(from)).some((before) => {
    return combinations.filter(isIn(to)).some((after) => mayFollow(before, after))
  })
  expect(isPossible).toBe(paymentLinkTransitions[from].some((next) => next === to))
})

test.for([
  ['cancelled', 100, 'order_cancelled'],
  ['cancelled', 0, 'order_cancelled'],
  ['returned', 100, 'order_returned'],
  ['returned', 0, 'order_paid'],
  ['pending', 0, 'order_paid'],
  ['processing', -50, 'order_paid'],
  ['pending', 50, 'amount_changed'],
  ['pending', 100, null],
] as const)('if a %s order has %i kobo due, its payment link for 100 kobo has the void reason %s', ([
  orderStatus,
  orderBalanceKobo,
  voidReason,
]) => {
  const page = { hasPage: true, isPaid: false, isExpired: false, isKeyReplaced: false }
  const facts = { ...page, amountKobo: 100, orderStatus, orderBalanceKobo }
  expect(paymentLinkStateOf(facts)).toEqual({ status: voidReason === null ? 'open' : 'void', voidReason })
})

describe('the table of payment links', () => {
  async function openLink() {
    const opened = await openLinkShop(started(), exchanged)
    const { body: link } = await opened.create()
    const set = (change: string) => select(opened.api, `update payment_links set ${change} where id = $1`, [link.id])
    return { ...opened, link, set }
  }

  test.for([
    "provider = 'paystack', reference = 'other'",
    'amount_kobo = amount_kobo + 1',
    "expires_at = expires_at + interval '1 minute'",
    "created_at = created_at - interval '1 minute'",
    'key_updated_at = now()',
    "url = 'https://example.com'",
    'url = null',
  ])('the database rejects a change of a payment link’s immutable data: %s', async (change) => {
    const { set } = await openLink()
    await expect(set(change)).rejects.toThrow('The facts of a payment link do not change.')
  })

  test('once a payment link is withdrawn, the database rejects any change of its withdrawal time', async () => {
    const { set } = await openLink()
    await set('withdrawn_at = now()')
    for (const change of ['withdrawn_at = null', 'withdrawn_at = now()']) {
      await expect(set(change)).rejects.toThrow('The facts of a payment link do not change.')
    }
  })

  test('the database rejects a second payment link of an order until the first payment link is withdrawn', async () => {
    const { api, link, set } = await openLink()
    const insert = () =>
      select(
        api,
        `insert into payment_links
         select (jsonb_populate_record(link, '{"id": "pln_01jd3f8q6hf5n8v1zr4c7e2m9z", "reference": "second", "withdrawn_at": null}')).*
         from payment_links link where id = $1`,
        [link.id],
      )
    await expect(insert()).rejects.toThrow('order_has_one_payment_link')
    await set('withdrawn_at = now()')
    await insert()
  })
})
