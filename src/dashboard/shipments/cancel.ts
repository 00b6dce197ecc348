import { z } from 'zod'
import { cancellationReasons } from '../../../registry/logistics/shipment-states.ts'
import { amountMaxKobo } from '../../../registry/values/limits.ts'
import { html } from '../../markup/markup.ts'
import { heading, money } from '../../markup/parts.ts'
import type { Refusal } from '../../operations/execute/refusal.ts'
import type { Content } from '../kit/content.ts'
import { type Draft, newDraft } from '../kit/draft.ts'
import { version, wholeNumber } from '../kit/fields.ts'
import { form, hiddenField, optionsOf, select, textArea } from '../kit/form.ts'
import { link } from '../kit/parts.ts'
import { refusedBy } from '../kit/refused.ts'
import { type Acted, action, page } from '../kit/route.ts'
import { read, type Visit } from '../kit/visit.ts'
import { shipmentBadge } from './tone.ts'

/**
 * Cancels a shipment in two steps. The first step runs the operation as a dry run and shows the carrier's fee. The
 * second step accepts this fee, so the cancellation is rejected if the fee has risen in the meantime.
 */

const path = '/shipments/{id}/cancel'
const permission = 'logistics:dispatch'

export const cancelShipmentPage = page({ path, permission, show: (visit, { id }) => formPage(visit, id, newDraft()) })

const fields = z.strictObject({
  version,
  reason: z.enum(cancellationReasons, { error: 'Choose a reason.' }),
  note: z.string().optional(),
  /** The cancellation fee that the member accepts. Undefined until the form has shown the fee. */
  feeKobo: wholeNumber({ min: 0, max: amountMaxKobo }).optional(),
})

type Fields = z.output<typeof fields>

export const cancelShipmentAction = action({
  path,
  permission,
  done: 'The cancellation was requested.',
  question: ({ feeKobo }) =>
    feeKobo === undefined ? undefined : { text: 'A cancelled shipment cannot be resumed.', submit: 'Cancel shipment' },
  fields,
  form: (visit, { id }, draft) => formPage(visit, id, draft),
  run: async (visit, { id }, given): Promise<Acted> => {
    if (given.feeKobo === undefined) return preview(visit, id, given)
    const called = await visit.call('cancelShipment', { params: { id }, ...requestOf(given), version: given.version })
    if (called.is === 'answered') return { is: 'done', to: `/shipments/${id}` }
    return refusedBy(called.refusal, { reason: 'reason', note: 'note' })
  },
})

function requestOf({ reason, note, feeKobo }: Fields) {
  const maxFeeKobo = feeKobo === undefined ? {} : { maxFeeKobo: feeKobo }
  return { body: { reason, ...(note === undefined ? {} : { note }), ...maxFeeKobo } }
}

async function preview(visit: Visit, id: string, given: Fields): Promise<Acted> {
  const request = { params: { id }, ...requestOf(given), version: given.version, isDryRun: true }
  const called = await visit.call('cancelShipment', request)
  if (called.is === 'answered') return { is: 'previewed', content: confirmPage(visit, id, { ...given, feeKobo: 0 }) }
  const feeKobo = feeOf(called.refusal)
  if (feeKobo === undefined) return refusedBy(called.refusal, { reason: 'reason', note: 'note' })
  return { is: 'previewed', content: confirmPage(visit, id, { ...given, feeKobo }) }
}

const FeeDetails = z.object({ feeKobo: z.int() })

/** Undefined if the cancellation was refused for a reason other than the fee. */
function feeOf({ code, details }: Refusal): number | undefined {
  return code === 'cancellation_fee_required' ? FeeDetails.parse(details).feeKobo : undefined
}

function confirmPage(
  visit: Visit,
  id: string,
  { reason, note, feeKobo, version: shown }: Fields & { readonly feeKobo: number },
): Content {
  const title = 'Confirm the cancellation'
  const fee =
    feeKobo === 0 ? html`The cancellation is free.` : html`The carrier charges ${money(feeKobo)} for the cancellation.`
  const hidden = html`${hiddenField('version', String(shown))}${hiddenField('reason', reason)}${hiddenField('note', note ?? '')}${hiddenField('feeKobo', String(feeKobo))}`
  const main = html`${heading(title)}<p role="status">${fee} Nothing has been cancelled yet.</p>
${form(visit, `/shipments/${id}/cancel`, hidden, { submit: 'Cancel shipment', isDangerous: true, isConfirmation: true })}
<p>${link(`/shipments/${id}`, 'Back to the shipment')}</p>`
  return { title, main }
}

async function formPage(visit: Visit, id: string, draft: Draft): Promise<Content> {
  const shipment = await read(visit, 'getShipment', { params: { id } })
  const title = `Cancel ${shipment.reference}`
  const own = html`${hiddenField('version', String(shipment.version))}
${select(draft, { name: 'reason', label: 'Reason', choices: optionsOf(cancellationReasons, 'Choose a reason') })}
${textArea(draft, { name: 'note', label: 'Note for staff', hint: 'Optional. At most 280 characters.' })}`
  const main = html`${heading(title, shipmentBadge(shipment.status))}
<p>The next step shows the fee of the carrier. Nothing is cancelled before you confirm the fee.</p>
${form(visit, `/shipments/${id}/cancel`, own, { submit: 'Show the fee' })}
<p>${link(`/shipments/${id}`, 'Back to the shipment')}</p>`
  return { title, main }
}
