import { z } from 'zod'
import type { PaymentLinkStatus } from '../../../registry/orders/payment-link-states.ts'
import { paymentProviderNames } from '../../../registry/values/payment-providers.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { badge, facts, heading, money, section, type Tone, time } from '../../markup/parts.ts'
import { findPaymentLink, showPaymentLink } from '../../store/orders/payment-links.ts'
import type { ReplyOf } from '../kit/call.ts'
import type { Content } from '../kit/content.ts'
import { type Draft, newDraft } from '../kit/draft.ts'
import { form, optionsOf, select } from '../kit/form.ts'
import { link } from '../kit/parts.ts'
import { refusedBy } from '../kit/refused.ts'
import { action, page } from '../kit/route.ts'
import { may, read, type Visit } from '../kit/visit.ts'
import { shareLink } from './share-link.ts'

/** The payment link of an order, which a member sends to the buyer. */

const path = '/orders/{id}/payment-link'
const permission = 'orders:write'

export const paymentLinkPage = page({ path, permission, show: (visit, { id }) => formPage(visit, id, newDraft()) })

export const createPaymentLinkAction = action({
  path,
  permission,
  done: 'The payment link is shown on the page of the order.',
  question: null,
  fields: z.strictObject({ provider: z.enum(paymentProviderNames).optional() }),
  form: (visit, { id }, draft) => formPage(visit, id, draft),
  run: async (visit, { id }, body) => {
    const called = await visit.call('createPaymentLink', { params: { id }, body })
    if (called.is === 'answered') return { is: 'done', to: `/orders/${id}` }
    return refusedBy(called.refusal, { provider: 'provider' })
  },
})

async function formPage(visit: Visit, id: string, draft: Draft): Promise<Content> {
  const { number, balanceKobo } = await read(visit, 'getOrder', { params: { id } })
  const title = `Create a payment link for ${number}`
  const provider = select(draft, {
    name: 'provider',
    label: 'Provider',
    hint: 'Choose a provider if you have connected several.',
    choices: optionsOf(paymentProviderNames, 'The connected provider'),
  })
  const main = html`${heading(title)}<p>${money(balanceKobo)} is due.</p>
${form(visit, `/orders/${id}/payment-link`, provider, { submit: 'Create payment link' })}
<p>${link(`/orders/${id}`, 'Back to the order')}</p>`
  return { title, main }
}

/** Reads the payment link of an order on which an amount is due, and shows it. */
export async function paymentLinkSection(visit: Visit, order: ReplyOf<'getOrder'>): Promise<Markup> {
  if (order.balanceKobo <= 0 || order.status === 'cancelled') return nothing
  const { database } = visit.context
  const found = await findPaymentLink(database, { merchantId: visit.tenant.merchantId, orderId: order.id })
  const current = found && showPaymentLink(found, visit.now)
  const isOpen = current?.status === 'open'
  const mayCreate = may(visit, permission) && !isOpen
  const create = mayCreate ? link(`/orders/${order.id}/payment-link`, 'Create payment link') : nothing
  if (current === undefined) return section('Payment link', html`<p>The order has no payment link.</p>`, create)
  const { provider, url, amountKobo, status, voidReason, expiresAt } = current
  const shown = facts([
    ['Status', html`${badge(status, tones[status])} ${(voidReason ?? '').replaceAll('_', ' ')}`],
    ['Amount', money(amountKobo)],
    ['Provider', provider],
    ['Expires', time(expiresAt)],
  ])
  const text = `Pay for your order ${order.number}`
  const share = isOpen && url !== null ? shareLink({ url, text, phone: order.customer.phone }) : nothing
  return section('Payment link', html`${share}${shown}`, create)
}

const tones = {
  pending: 'active',
  open: 'waiting',
  paid: 'good',
  void: 'quiet',
  expired: 'quiet',
} as const satisfies Record<PaymentLinkStatus, Tone>
