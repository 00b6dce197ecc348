import { z } from 'zod'
import {
  decidingShipmentOf,
  returnStatuses,
  returnTransitions,
  settableReturnStatuses,
} from '../../../registry/returns/return-states.ts'
import { html } from '../../markup/markup.ts'
import { heading } from '../../markup/parts.ts'
import { version } from '../kit/fields.ts'
import { form, hiddenField, optionsOf, select } from '../kit/form.ts'
import { link } from '../kit/parts.ts'
import { action } from '../kit/route.ts'
import { refusedChange } from '../kit/stale.ts'
import { read } from '../kit/visit.ts'
import { shipmentNotice } from './show.ts'

export const transitionReturnAction = action({
  path: '/returns/{id}/transition',
  permission: 'orders:write',
  done: 'The status of the return was changed.',
  question: ({ to }) => {
    const isFinal = returnTransitions[to].length === 0
    return isFinal ? { text: `The return becomes ${to}, which cannot be undone.`, submit: `Set to ${to}` } : undefined
  },
  fields: z.strictObject({
    from: z.enum(returnStatuses),
    to: z.enum(settableReturnStatuses, { error: 'Choose a status.' }),
    version,
  }),
  form: async (visit, { id }, draft) => {
    const {
      orderNumber,
      status,
      version: current,
      allowedTransitions,
      shipments,
    } = await read(visit, 'getReturn', {
      params: { id },
    })
    const title = `Change the status of the return of ${orderNumber}`
    const choices = optionsOf(allowedTransitions.filter((to) => to !== 'received'))
    const fields = html`${hiddenField('from', status)}${hiddenField('version', String(current))}
${select(draft, { name: 'to', label: 'New status', choices })}`
    const final = html`<p>The status is final.</p>`
    const none = decidingShipmentOf(status, shipments) === undefined ? final : shipmentNotice(status, shipments)
    const main = html`${heading(title)}
${choices.length === 0 ? none : form(visit, `/returns/${id}/transition`, fields, { submit: 'Change status' })}
<p>${link(`/returns/${id}`, 'Back to the return')}</p>`
    return { title, main }
  },
  run: async (visit, { id }, { to, version: expected }) => {
    const called = await visit.call('transitionReturn', { params: { id }, version: expected, body: { to } })
    return called.is === 'answered'
      ? { is: 'done', to: `/returns/${id}` }
      : refusedChange(called.refusal, 'return', { to: 'to' })
  },
})
