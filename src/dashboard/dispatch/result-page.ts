import { html, type Markup, nothing } from '../../markup/markup.ts'
import { count, heading, money, section, table } from '../../markup/parts.ts'
import type { Content } from '../kit/content.ts'
import { form, hiddenField } from '../kit/form.ts'
import { koboText, link } from '../kit/parts.ts'
import type { Visit } from '../kit/visit.ts'
import { shipmentBadge } from '../shipments/tone.ts'
import { orderLine } from './chosen-orders.ts'
import type { DispatchOutcome } from './dispatch-offers.ts'
import { fieldOf, usualCashOf } from './form-fields.ts'
import { dispatchPath } from './form-page.ts'

/** Shows the outcome of each order of a dispatch, and what to do next. */
export function resultPage(visit: Visit, outcomes: readonly DispatchOutcome[]): Content {
  const done = outcomes.filter(({ result }) => result.is === 'dispatched')
  const failed = outcomes.filter(({ result }) => result.is === 'refused')
  const title = `Dispatched ${count(done.length)} of ${count(outcomes.length)} orders`
  const slips = done.map(({ order }) => `id=${order.id}`).join('&')
  const next = done.length === 0 ? nothing : link(`/orders/slips?${slips}`, 'Packing slips of the dispatched orders')
  const again = failed.length === 0 ? nothing : section(againTitle, retryForm(visit, failed))
  const main = html`${heading(title, next)}${outcomeTable(outcomes)}${again}<p>${link('/orders', 'Back to the orders')}</p>`
  return { title, main }
}

const againTitle = 'Orders that were not dispatched'

function outcomeTable(outcomes: readonly DispatchOutcome[]): Markup {
  return table('Outcomes', outcomes, [
    { title: 'Order', cell: ({ order }) => orderLine(order), phone: 'title' },
    { title: 'Outcome', cell: stateOf, phone: 'state' },
    { title: 'Next step', cell: nextStepOf, phone: 'detail' },
  ])
}

function stateOf({ result }: DispatchOutcome): Markup {
  switch (result.is) {
    case 'dispatched':
      return shipmentBadge(result.shipment.status)
    case 'refused':
      return html`not dispatched`
    case 'unknown':
      return html`unknown`
  }
}

function nextStepOf({ order, result }: DispatchOutcome): Markup {
  switch (result.is) {
    case 'dispatched': {
      const { id, carrier, priceKobo } = result.shipment
      const by =
        carrier === null
          ? 'Carriers are requested.'
          : html`${carrier.name}${priceKobo === null ? nothing : html`, ${money(priceKobo)}`}.`
      return html`${by} ${link(`/shipments/${id}`, 'Shipment')}`
    }
    case 'refused': {
      const { message, shipmentId } = result
      return html`${message}${shipmentId === undefined ? nothing : html` ${link(`/shipments/${shipmentId}`, 'Failed shipment')}`}`
    }
    case 'unknown':
      return html`The order may or may not be dispatched. ${link(`/orders/${order.id}`, 'Check the order')} before you dispatch it again.`
  }
}

/** A form that requests new offers for the orders that were not dispatched, with the same cash. */
function retryForm(visit: Visit, failed: readonly DispatchOutcome[]): Markup {
  const fields = failed.map(({ order, cashKobo }) => {
    const due = usualCashOf(order)
    return html`${hiddenField('id', order.id)}${due === undefined ? nothing : hiddenField(fieldOf('due', order.id), koboText(due))}${cashKobo === undefined ? nothing : hiddenField(fieldOf('cash', order.id), koboText(cashKobo))}`
  })
  return form(visit, dispatchPath, html`${fields}`, { submit: 'Get new offers' })
}
