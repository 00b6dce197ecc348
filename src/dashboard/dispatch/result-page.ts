import { ShipmentId } from '../../../registry/values/vocabulary.ts'
import { counted } from '../../base/counted.ts'
import { carrierNameOf } from '../../logistics/carriers/carrier-names.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { count, heading, money, section, table } from '../../markup/parts.ts'
import { type DispatchedShipment, listDispatchedShipments } from '../../store/logistics/shipments/listed-shipments.ts'
import type { ListedOrderToShip } from '../../store/orders/order-parcels.ts'
import type { Content } from '../kit/content.ts'
import { form, hiddenField } from '../kit/form.ts'
import { koboText, link, mainLink } from '../kit/parts.ts'
import type { Visit } from '../kit/visit.ts'
import { shipmentBadge } from '../shipments/tone.ts'
import { chosenOrders, orderLine } from './chosen-orders.ts'
import { choiceOf, fieldOf, usualCashOf } from './form-fields.ts'
import { numberPage, numberProblem } from './form-page.ts'
import { reasonMessage } from './refusals.ts'
import { dispatchPath, fieldsIn, parameterIn, slipsPath } from './step-paths.ts'

/**
 * The outcome of the dispatch of an order, with the shipment in its current status, which may have changed since the
 * dispatch.
 */
interface ShownOutcome {
  readonly order: ListedOrderToShip
  readonly cashKobo: number | undefined
  readonly shipment: DispatchedShipment | undefined
  /** Reason why the order was not dispatched. Undefined if the order was dispatched, or if the outcome is unknown. */
  readonly refusal: string | undefined
}

interface DispatchedOutcome extends ShownOutcome {
  readonly shipment: DispatchedShipment
}

/** Shows the outcome of each order of a dispatch, the failures first, and what to do next. */
export async function resultPage(visit: Visit): Promise<Content> {
  const problem = numberProblem(visit.chosenIds)
  if (problem !== undefined) return numberPage(problem)
  const outcomes = await outcomesIn(visit)
  const done = outcomes.filter(isDispatched)
  const failed = outcomes.filter(({ refusal }) => refusal !== undefined)
  const title = `Riders requested for ${count(done.length)} of ${count(outcomes.length)} orders`
  const slips = slipsPath(done.map(({ order }) => order.id))
  const next = done.length === 0 ? nothing : mainLink(slips, `Print ${counted(done.length, 'packing slip')}`)
  const open = outcomes.filter((outcome) => !isDispatched(outcome))
  const again = failed.length === 0 ? nothing : retryForm(visit, failed, done.length > 0)
  const problems = open.length === 0 ? nothing : section(againTitle, html`${openTable(open)}${again}`)
  const good = done.length === 0 ? nothing : section(doneTitle, doneTable(done))
  const main = html`${heading(title, next)}${totalOf(done)}${problems}${good}<p>${link('/orders', 'Back to the orders')}</p>`
  return { title, main }
}

async function outcomesIn(visit: Visit): Promise<readonly ShownOutcome[]> {
  const fields = fieldsIn(visit)
  const shipmentIds = fields.id.flatMap((id) => ShipmentId.safeParse(parameterIn(visit, 'shipment', id)).data ?? [])
  const [orders, shipments] = await Promise.all([
    chosenOrders(visit, fields.id),
    listDispatchedShipments(visit.context.database, visit.tenant.merchantId, shipmentIds),
  ])
  return orders.map((order): ShownOutcome => {
    const choice = choiceOf(fields, order)
    const shipment = shipments.get(parameterIn(visit, 'shipment', order.id) ?? '')
    return {
      order,
      cashKobo: 'order' in choice ? choice.cashKobo : usualCashOf(order),
      shipment: shipment?.orderId === order.id ? shipment : undefined,
      refusal: reasonMessage(parameterIn(visit, 'reason', order.id) ?? ''),
    }
  })
}

function isDispatched(outcome: ShownOutcome): outcome is DispatchedOutcome {
  return outcome.shipment !== undefined && outcome.refusal === undefined
}

/** A shipment has no price until a carrier accepts it. */
function totalOf(done: readonly DispatchedOutcome[]): Markup {
  const prices = done.flatMap(({ shipment }) => shipment.priceKobo ?? [])
  if (prices.length === 0) return nothing
  const sum = prices.reduce((total, kobo) => total + kobo, 0)
  return html`<p>The carriers accepted the shipments of ${counted(prices.length, 'order')} for ${money(sum)} in total.</p>`
}

const againTitle = 'Orders that were not dispatched'
const doneTitle = 'Orders with a requested rider'

/** The orders that were not dispatched, or whose outcome is unknown, each with the reason. */
function openTable(outcomes: readonly ShownOutcome[]): Markup {
  return table(againTitle, outcomes, [
    { title: 'Order', cell: ({ order }) => orderLine(order), phone: 'title' },
    { title: 'Outcome', cell: ({ refusal }) => (refusal === undefined ? 'unknown' : 'not dispatched'), phone: 'state' },
    { title: 'Reason', cell: reasonOf, phone: 'detail' },
    { title: 'Shipment', cell: (outcome) => shipmentLink(outcome, 'Failed shipment'), phone: 'detail' },
  ])
}

function doneTable(outcomes: readonly DispatchedOutcome[]): Markup {
  return table(doneTitle, outcomes, [
    { title: 'Order', cell: ({ order }) => orderLine(order), phone: 'title' },
    { title: 'Status', cell: ({ shipment }) => shipmentBadge(shipment.status), phone: 'state' },
    { title: 'Carrier', cell: carrierOf, phone: 'detail' },
    { title: 'Price', cell: priceOf, isNumber: true, phone: 'detail' },
    { title: 'Shipment', cell: (outcome) => shipmentLink(outcome, 'Open the shipment'), phone: 'detail' },
  ])
}

function reasonOf({ order, refusal }: ShownOutcome): Markup | string {
  if (refusal !== undefined) return refusal
  return html`The order may or may not be dispatched. ${link(`/orders/${order.id}`, 'Check the order')} before you dispatch it again.`
}

function carrierOf({ shipment: { carrier } }: DispatchedOutcome): string {
  return carrier === null ? 'Carriers are requested' : carrierNameOf(carrier)
}

function priceOf({ shipment: { priceKobo } }: DispatchedOutcome): Markup {
  return priceKobo === null ? nothing : money(priceKobo)
}

function shipmentLink({ shipment }: ShownOutcome, text: string): Markup {
  return shipment === undefined ? nothing : link(`/shipments/${shipment.id}`, text)
}

/** A form that requests new offers for the orders that were not dispatched, with the same cash on delivery. */
function retryForm(visit: Visit, failed: readonly ShownOutcome[], isSecondary: boolean): Markup {
  const fields = failed.map(({ order, cashKobo }) => {
    const due = usualCashOf(order)
    return html`${hiddenField('id', order.id)}${due === undefined ? nothing : hiddenField(fieldOf('due', order.id), koboText(due))}${cashKobo === undefined ? nothing : hiddenField(fieldOf('cash', order.id), koboText(cashKobo))}`
  })
  return form(visit, dispatchPath, html`${fields}`, {
    ...{ submit: `Get new offers for ${counted(failed.length, 'order')}`, isSecondary },
  })
}
