import { z } from 'zod'
import type { PaymentLinkStatus } from '../../../registry/orders/payment-link-states.ts'
import type { PaymentLink } from '../../../registry/orders/payment-links.ts'
import { paymentProviderNames } from '../../../registry/values/payment-providers.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { badge, dateTime, facts, heading, money, section, type Tone } from '../../markup/parts.ts'
import { findPaymentLink, showPaymentLink } from '../../store/orders/payment-links.ts'
import type { ReplyOf } from '../kit/call.ts'
import type { Content } from '../kit/content.ts'
import { type Draft, newDraft } from '../kit/draft.ts'
import { form, optionsOf, select } from '../kit/form.ts'
import { link } from '../kit/parts.ts'
import { refusedBy } from '../kit/refused.ts'
import { action, page } from '../kit/route.ts'
import { shareLink } from '../kit/share-link.ts'
import { read, type Visit } from '../kit/visit.ts'
import { paymentLinkLabel } from './actions.ts'

const path = '/orders/{id}/payment-link'
const permission = 'orders:write'

/** Shows the open payment link of an order, or else the form that creates one. */
export const paymentLinkPage = page({
  path,
  permission,
  show: async (visit, { id }) => {
    const order = await read(visit, 'getOrder', { params: { id } })
    const current = await currentLink(visit, order)
    return current?.status === 'open' ? openLinkPage(order, current) : formPage(visit, order, newDraft())
  },
})

export const createPaymentLinkAction = action({
  path,
  permission,
  done: 'The payment link is shown on the page of the order.',
  question: null,
  fields: z.strictObject({ provider: z.enum(paymentProviderNames).optional() }),
  form: async (visit, { id }, draft) => formPage(visit, await read(visit, 'getOrder', { params: { id } }), draft),
  run: async (visit, { id }, body) => {
    const called = await visit.call('createPaymentLink', { params: { id }, body })
    if (called.is === 'answered') return { is: 'done', to: `/orders/${id}` }
    return refusedBy(called.refusal, { provider: 'provider' })
  },
})

type Order = ReplyOf<'getOrder'>

function openLinkPage(order: Order, current: PaymentLink): Content {
  const title = `Payment link of ${order.number}`
  const main = html`${heading(title)}${shareOpenLink(order, current, true)}${linkFacts(current)}
<p>${link(`/orders/${order.id}`, 'Open the order')}</p>`
  return { title, main }
}

function formPage(visit: Visit, { id, number, balanceKobo }: Order, draft: Draft): Content {
  const title = `Create a payment link for ${number}`
  // The form has no choice of a payment provider in test mode, because the simulated provider serves every payment
  // link.
  const provider =
    visit.tenant.mode === 'test'
      ? nothing
      : select(draft, {
          name: 'provider',
          label: 'Provider',
          hint: 'Choose a provider if you have connected several.',
          choices: optionsOf(paymentProviderNames, 'The connected provider'),
        })
  const main = html`${heading(title)}<p>${money(balanceKobo)} is due.</p>
${form(visit, `/orders/${id}/payment-link`, provider, { submit: paymentLinkLabel(balanceKobo) })}
<p>${link(`/orders/${id}`, 'Back to the order')}</p>`
  return { title, main }
}

export function paymentLinkSection(order: Order, current: PaymentLink | undefined): Markup {
  if (current === undefined) return nothing
  return section('Payment link', html`${shareOpenLink(order, current)}${linkFacts(current)}`)
}

/** Reads the payment link of an order on which an amount is due. */
export async function currentLink(visit: Visit, order: Order): Promise<PaymentLink | undefined> {
  const { id: orderId, balanceKobo, status } = order
  if (balanceKobo <= 0 || status === 'cancelled') return undefined
  const found = await findPaymentLink(visit.context.database, { merchantId: visit.tenant.merchantId, orderId })
  return found && showPaymentLink(found, visit.now)
}

function shareOpenLink({ number, customer }: Order, { status, url }: PaymentLink, isMain = false): Markup {
  if (status !== 'open' || url === null) return nothing
  return shareLink({ url, text: `Pay for your order ${number}`, phone: customer.phone, isMain })
}

function linkFacts({ status, voidReason, amountKobo, provider, expiresAt }: PaymentLink): Markup {
  return facts([
    ['Status', html`${badge(status, tones[status])} ${(voidReason ?? '').replaceAll('_', ' ')}`],
    ['Amount', money(amountKobo)],
    ['Provider', provider],
    ['Expires', dateTime(expiresAt)],
  ])
}

const tones = {
  pending: 'active',
  open: 'waiting',
  paid: 'good',
  void: 'quiet',
  expired: 'quiet',
} as const satisfies Record<PaymentLinkStatus, Tone>
