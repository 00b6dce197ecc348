import { html } from '../../markup/markup.ts'
import { heading } from '../../markup/parts.ts'
import { noFields } from '../kit/fields.ts'
import { button } from '../kit/form.ts'
import { link } from '../kit/parts.ts'
import { action } from '../kit/route.ts'
import { read } from '../kit/visit.ts'

export const refundReturnAction = action({
  path: '/returns/{id}/refund',
  permission: 'refunds:write',
  done: 'The refund was created.',
  question: () => ({
    text: 'The customer gets back the price of the units, which cannot be undone once the money is sent.',
    submit: 'Refund',
  }),
  fields: noFields,
  form: async (visit, { id }) => {
    const { orderNumber } = await read(visit, 'getReturn', { params: { id } })
    const title = `Refund the return of ${orderNumber}`
    const main = html`${heading(title)}
<p>${button(visit, `/returns/${id}/refund`, 'Refund', { isDangerous: true, hidden: { confirmed: 'yes' } })} ${link(`/returns/${id}`, 'Back to the return')}</p>`
    return { title, main }
  },
  run: async (visit, { id }) => {
    const { orderId, id: returnId, reason } = await read(visit, 'getReturn', { params: { id } })
    const body = { orderId, returnId, reason }
    const called = await visit.call('createRefund', { body, idempotencyKey: visit.formId })
    if (called.is === 'answered') return { is: 'done', to: `/refunds/${called.reply.id}` }
    return { is: 'refused', message: called.refusal.message }
  },
})
