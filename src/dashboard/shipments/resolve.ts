import { z } from 'zod'
import { resolvableCodes, resolveException } from '../../logistics/cancellation/resolve-exception.ts'
import { html, nothing } from '../../markup/markup.ts'
import { heading } from '../../markup/parts.ts'
import type { Content } from '../kit/content.ts'
import { type Draft, newDraft } from '../kit/draft.ts'
import { line } from '../kit/fields.ts'
import { form, optionsOf, select, textField } from '../kit/form.ts'
import { link } from '../kit/parts.ts'
import { type Acted, action, page } from '../kit/route.ts'
import { read, type Visit } from '../kit/visit.ts'
import { noShipment, shipmentIdOf } from './find.ts'
import { reasonMaxLength } from './reason.ts'
import { resolvableCodesOf } from './resolvable.ts'

const path = '/shipments/{id}/resolve'
const permission = 'logistics:dispatch'

export const resolvePage = page({
  path,
  permission,
  show: (visit, { id }) => formPage(visit, id, newDraft({ code: visit.query.code })),
})

export const resolveAction = action({
  path,
  permission,
  done: 'The problem is resolved.',
  question: () => ({ text: 'A resolved problem cannot be opened again.', submit: 'Resolve' }),
  fields: z.strictObject({
    code: z.enum(resolvableCodes, { error: 'Choose a problem.' }),
    reason: line(reasonMaxLength),
  }),
  form: (visit, { id }, draft) => formPage(visit, id, draft),
  run: async (visit, { id }, { code, reason }): Promise<Acted> => {
    const { context, actor, tenant } = visit
    const outcome = await resolveException(context, actor, tenant, { id: shipmentIdOf(id), code, reason })
    switch (outcome.is) {
      case 'resolved':
        return { is: 'done', to: `/shipments/${id}` }
      case 'unchanged':
        return { is: 'refused', message: 'The problem is already resolved.' }
      case 'exception_unknown':
        return { is: 'refused', field: 'code', message: `The shipment has no problem ${code.replaceAll('_', ' ')}.` }
      case 'still_needed':
        return {
          is: 'refused',
          message:
            code === 'carrier_wallet_low'
              ? 'The carrier still waits for funds. The problem is resolved when the account of the shop is funded.'
              : 'The shipment is still active. Cancel or close the shipment first.',
        }
      case 'shipment_unknown':
        throw noShipment()
    }
  },
})

/** The shipment is read first, so that an unknown id is rejected before the form is shown or submitted. */
async function formPage(visit: Visit, id: string, draft: Draft): Promise<Content> {
  const shipment = await read(visit, 'getShipment', { params: { id } })
  const open = resolvableCodesOf(shipment)
  const title = `Resolve a problem of ${shipment.reference}`
  const fields = html`${select(draft, { name: 'code', label: 'Problem', choices: optionsOf(open) })}
${textField(draft, { name: 'reason', label: 'Action taken', hint: 'This text is stored in the history of the shipment and in the audit log.', isRequired: true })}`
  const none = html`<p>No problem of this shipment can currently be resolved by hand.</p>`
  const effect = html`<p>Solve the problem first, then mark it as resolved here. It is then no longer listed as open. The status of the shipment and the request to the carrier do not change.</p>`
  const main = html`${heading(title)}${open.length === 0 ? nothing : effect}${open.length === 0 ? none : form(visit, `/shipments/${id}/resolve`, fields, { submit: 'Resolve' })}
<p>${link(`/shipments/${id}`, 'Back to the shipment')}</p>`
  return { title, main }
}
