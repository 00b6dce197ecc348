import { z } from 'zod'
import { type CancelReason, cancelReasons } from '../../../registry/orders/order-states.ts'
import { html } from '../../markup/markup.ts'
import { heading, money } from '../../markup/parts.ts'
import type { Content } from '../kit/content.ts'
import { type Draft, newDraft } from '../kit/draft.ts'
import { version } from '../kit/fields.ts'
import { form, hiddenField, optionsOf, select, textArea } from '../kit/form.ts'
import { link } from '../kit/parts.ts'
import { action, page } from '../kit/route.ts'
import { refusedChange } from '../kit/stale.ts'
import { read, type Visit } from '../kit/visit.ts'
import { orderBadge } from './tone.ts'

const path = '/orders/{id}/cancel'
const permission = 'orders:write'

/** The cancellation form does not offer the reason `expired`, because only the service itself expires orders. */
const reasons = cancelReasons.filter((reason): reason is Exclude<CancelReason, 'expired'> => reason !== 'expired')

export const cancelOrderPage = page({ path, permission, show: (visit, { id }) => formPage(visit, id, newDraft()) })

export const cancelOrderAction = action({
  path,
  permission,
  done: 'The order was cancelled.',
  question: () => ({ text: 'A cancelled order cannot be opened again.', submit: 'Cancel order' }),
  fields: z.strictObject({
    version,
    reason: z.enum(reasons, { error: 'Choose a reason.' }),
    note: z.string().optional(),
  }),
  form: (visit, { id }, draft) => formPage(visit, id, draft),
  run: async (visit, { id }, { version: expected, reason, note }) => {
    const body = { reason, ...(note === undefined ? {} : { note }) }
    const called = await visit.call('cancelOrder', { params: { id }, version: expected, body })
    if (called.is === 'answered') return { is: 'done', to: `/orders/${id}` }
    return refusedChange(called.refusal, 'order', { reason: 'reason', note: 'note' })
  },
})

async function formPage(visit: Visit, id: string, draft: Draft): Promise<Content> {
  const {
    number,
    status,
    shipments,
    version: current,
    refundableKobo,
  } = await read(visit, 'getOrder', { params: { id } })
  const title = `Cancel ${number}`
  const fields = html`${hiddenField('version', String(current))}
${select(draft, { name: 'reason', label: 'Reason', choices: optionsOf(reasons, 'Choose a reason') })}
${textArea(draft, { name: 'note', label: 'Note', hint: 'Optional. At most 500 characters.' })}`
  const main = html`${heading(title, orderBadge(status, shipments))}
<p>Reserved units return to stock. Shipments that no carrier has accepted are cancelled; cancel all other shipments yourself.</p>
${refundableKobo > 0 ? html`<p>Payments stay until you refund them: ${money(refundableKobo)} is refundable.</p>` : ''}
${form(visit, `/orders/${id}/cancel`, fields, { submit: 'Cancel order', isDangerous: true })}
<p>${link(`/orders/${id}`, 'Back to the order')}</p>`
  return { title, main }
}
