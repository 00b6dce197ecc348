import { z } from 'zod'
import { mayShipmentMove, type ShipmentStatus } from '../../../registry/logistics/shipment-states.ts'
import { type ClosingStatus, closeShipment, closingStatuses } from '../../logistics/cancellation/close-shipment.ts'
import { html, nothing } from '../../markup/markup.ts'
import { heading } from '../../markup/parts.ts'
import type { ReplyOf } from '../kit/call.ts'
import type { Content } from '../kit/content.ts'
import { type Draft, newDraft } from '../kit/draft.ts'
import { line } from '../kit/fields.ts'
import { form, optionsOf, select, textField } from '../kit/form.ts'
import { link } from '../kit/parts.ts'
import { type Acted, action, page } from '../kit/route.ts'
import { read, type Visit } from '../kit/visit.ts'
import { noShipment, shipmentIdOf } from './find.ts'
import { reasonMaxLength } from './reason.ts'
import { shipmentBadge } from './tone.ts'

const path = '/shipments/{id}/close'
const permission = 'logistics:dispatch'

/**
 * Returns the final statuses with which a member can close the shipment now, according to the status transitions of the
 * API.
 */
export function closingStatusesOf(status: ShipmentStatus): readonly ClosingStatus[] {
  return closingStatuses.filter((to) => mayShipmentMove(status, to))
}

export const closePage = page({ path, permission, show: (visit, { id }) => formPage(visit, id, newDraft()) })

export const closeAction = action({
  path,
  permission,
  done: 'The shipment was closed.',
  question: async (_fields, visit, { id }) => {
    const record = recordOf(await read(visit, 'getShipment', { params: { id } }))
    const effect = record === undefined ? '' : `, and the ${record} is updated to match it`
    return { text: `The status is final${effect}.`, submit: 'Close shipment' }
  },
  fields: z.strictObject({
    to: z.enum(closingStatuses, { error: 'Choose a status.' }),
    reason: line(reasonMaxLength),
  }),
  form: (visit, { id }, draft) => formPage(visit, id, draft),
  run: async (visit, { id }, { to, reason }): Promise<Acted> => {
    const { context, actor, tenant } = visit
    const outcome = await closeShipment(context, actor, tenant, { id: shipmentIdOf(id), to, reason })
    switch (outcome.is) {
      case 'closed':
        return { is: 'done', to: `/shipments/${id}` }
      case 'unchanged':
        return { is: 'refused', message: `The shipment is already ${to}.` }
      case 'not_allowed':
        return { is: 'refused', field: 'to', message: `A shipment that is ${outcome.from} cannot be closed as ${to}.` }
      case 'shipment_unknown':
        throw noShipment()
    }
  },
})

function recordOf({ orderId, returnId }: ReplyOf<'getShipment'>): 'order' | 'return' | undefined {
  if (returnId !== null) return 'return'
  return orderId === null ? undefined : 'order'
}

async function formPage(visit: Visit, id: string, draft: Draft): Promise<Content> {
  const shipment = await read(visit, 'getShipment', { params: { id } })
  const { reference, status } = shipment
  const record = recordOf(shipment)
  const statuses = closingStatusesOf(status)
  const title = `Close ${reference}`
  const fields = html`${select(draft, { name: 'to', label: 'Final status', choices: optionsOf(statuses, 'Choose a status') })}
${textField(draft, { name: 'reason', label: 'Reason', hint: 'This text is stored in the history of the shipment and in the audit log.', isRequired: true })}`
  const final = html`<p>The status is final.</p>`
  const main = html`${heading(title, shipmentBadge(status))}
<p>Close a shipment only if its carrier no longer reports its status.${record === undefined ? nothing : ` The ${record} is updated too.`}</p>
${statuses.length === 0 ? final : form(visit, `/shipments/${id}/close`, fields, { submit: 'Close shipment', isDangerous: true })}
<p>${link(`/shipments/${id}`, 'Back to the shipment')}</p>`
  return { title, main }
}
