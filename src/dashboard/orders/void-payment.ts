import { z } from 'zod'
import { voidReasons } from '../../../registry/orders/order-states.ts'
import { PaymentId } from '../../../registry/values/vocabulary.ts'
import { html } from '../../markup/markup.ts'
import { code, dateTime, facts, heading, money } from '../../markup/parts.ts'
import { findPayment } from '../../store/orders/payments.ts'
import type { Content } from '../kit/content.ts'
import { type Draft, newDraft } from '../kit/draft.ts'
import { form, optionsOf, select } from '../kit/form.ts'
import { PageError } from '../kit/page-error.ts'
import { link } from '../kit/parts.ts'
import { refusedBy } from '../kit/refused.ts'
import { action, page } from '../kit/route.ts'
import { may, read, type Visit } from '../kit/visit.ts'

const path = '/payments/{id}/void'
const permission = 'orders:write'

export const voidPaymentPage = page({ path, permission, show: (visit, { id }) => formPage(visit, id, newDraft()) })

export const voidPaymentAction = action({
  path,
  permission,
  done: 'The payment was voided.',
  question: () => ({
    text: 'No money moves: the customer gets no money back. The payment no longer counts towards the paid amount of the order, and it cannot be restored.',
    submit: 'Void payment',
  }),
  fields: z.strictObject({ reason: z.enum(voidReasons, { error: 'Choose a reason.' }) }),
  form: (visit, { id }, draft) => formPage(visit, id, draft),
  run: async (visit, { id }, { reason }) => {
    const called = await visit.call('voidPayment', { params: { id }, body: { reason } })
    if (called.is === 'answered') return { is: 'done', to: `/orders/${called.reply.orderId}` }
    return refusedBy(called.refusal, { reason: 'reason' })
  },
})

async function formPage(visit: Visit, id: string, draft: Draft): Promise<Content> {
  const paymentId = PaymentId.safeParse(id).data
  const payment = paymentId && (await findPayment(visit.context.database, visit.tenant.merchantId, paymentId))
  if (payment === undefined) throw new PageError(404, 'This payment does not exist.')
  const { reference, amountKobo, method, paidAt, orderId } = payment
  const { number, customer } = await read(visit, 'getOrder', { params: { id: orderId } })
  const title = `Void a payment of ${number}`
  const fields = select(draft, { name: 'reason', label: 'Reason', choices: optionsOf(voidReasons, 'Choose a reason') })
  const main = html`${heading(title)}
${facts([
  ['Reference', code(reference)],
  ['Amount', money(amountKobo)],
  ['Method', method.replaceAll('_', ' ')],
  ['Paid', dateTime(paidAt)],
  ['Order', link(`/orders/${orderId}`, number)],
  ['Customer', customer.name],
])}
<p>Void a payment only if it was recorded by mistake, or if its money did not arrive. No money moves: the customer gets no money back. To give money back, ${may(visit, 'refunds:write') ? link(`/orders/${orderId}/refund`, 'refund the order') : 'refund the order'}.</p>
<p>The payment will no longer count towards the paid amount of the order. The order keeps its status. A voided payment cannot be restored, but its reference can be recorded again.</p>
${form(visit, `/payments/${id}/void`, fields, { submit: 'Void payment', isDangerous: true })}
<p>${link(`/orders/${orderId}`, `Back to the order ${number}`)}</p>`
  return { title, main }
}
