import { html } from '../../markup/markup.ts'
import { heading } from '../../markup/parts.ts'
import { noFields } from '../kit/fields.ts'
import { button } from '../kit/form.ts'
import { link } from '../kit/parts.ts'
import { action } from '../kit/route.ts'
import { read } from '../kit/visit.ts'

export const cancelRefundAction = action({
  path: '/refunds/{id}/cancel',
  permission: 'refunds:write',
  done: 'The refund was cancelled. Its amount is refundable again.',
  question: () => ({
    text: 'A cancelled refund cannot be resumed. Its amount is refundable again.',
    submit: 'Cancel refund',
  }),
  fields: noFields,
  form: async (visit, { id }) => {
    const { orderNumber } = await read(visit, 'getRefund', { params: { id } })
    const title = `Cancel the refund of ${orderNumber}`
    const main = html`${heading(title)}
<p>${button(visit, `/refunds/${id}/cancel`, 'Cancel refund', { isDangerous: true, hidden: { confirmed: 'yes' } })} ${link(`/refunds/${id}`, 'Back to the refund')}</p>`
    return { title, main }
  },
  run: async (visit, { id }) => {
    const called = await visit.call('cancelRefund', { params: { id } })
    if (called.is === 'answered') return { is: 'done', to: `/refunds/${id}` }
    return { is: 'refused', message: called.refusal.message }
  },
})
