import { z } from 'zod'
import { unitsToSendOf } from '../../../registry/orders/order-states.ts'
import type { Address } from '../../../registry/values/address.ts'
import { counted } from '../../base/counted.ts'
import { nairaText } from '../../base/naira.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { count, empty, facts, heading, table } from '../../markup/parts.ts'
import type { ListedOrderToShip } from '../../store/orders/order-parcels.ts'
import { listOrdersToPack, toPackMax } from '../../store/orders/order-views.ts'
import { chosenMax, chosenOrders, showChosen, tooManyChosen } from '../dispatch/chosen-orders.ts'
import { slipsOfAll, slipsPath } from '../dispatch/step-paths.ts'
import type { Content } from '../kit/content.ts'
import { chosenIds } from '../kit/fields.ts'
import { backLink, link } from '../kit/parts.ts'
import { action, page, type Route } from '../kit/route.ts'
import type { Visit } from '../kit/visit.ts'
import { exportChosenAction } from './export-chosen.ts'

/** The packing slips of the chosen orders, or of all orders to pack. Each slip is a page when it is printed. */
const slipsPage = page({
  path: slipsOfAll,
  permission: 'orders:read',
  show: (visit) => (visit.chosenIds.length > 0 ? slipsOf(visit, visit.chosenIds) : slipsToPack(visit)),
})

/**
 * Redirects from the list of orders to the packing slips of the orders whose check boxes are ticked. Changes nothing.
 */
const chosenSlips = action({
  path: slipsOfAll,
  permission: 'orders:read',
  done: 'The packing slips are ready.',
  question: null,
  fields: z.object({ id: chosenIds }),
  form: (visit) => slipsToPack(visit),
  run: (visit, _params, { id }) => showChosen(visit, id, slipsPath),
})

async function slipsOf(visit: Visit, ids: readonly string[]): Promise<Content> {
  if (new Set(ids).size <= chosenMax) return contentOf(await chosenOrders(visit, ids))
  return contentOf([], empty(tooManyChosen, link('/orders', 'Choose orders')))
}

/** Shows the packing slips of the orders of the view “To pack”, the oldest first. */
async function slipsToPack(visit: Visit): Promise<Content> {
  const { context, tenant, now } = visit
  const ids = await listOrdersToPack(context.database, { merchantId: tenant.merchantId, now })
  const isCut = ids.length === toPackMax
  const more = isCut ? html`<p class="hint">These are the oldest ${count(toPackMax)} orders to pack.</p>` : nothing
  return contentOf(await chosenOrders(visit, ids), more)
}

function contentOf(orders: readonly ListedOrderToShip[], more: Markup = nothing): Content {
  const title = orders.length === 1 ? 'Packing slip' : `${count(orders.length)} packing slips`
  const none = orders.length === 0 && String(more) === '' ? empty('There are no orders to pack.') : nothing
  const print =
    orders.length === 0
      ? nothing
      : html`<button type="button" class="main" data-print hidden>Print ${counted(orders.length, 'packing slip')}</button>`
  return {
    title,
    main: html`${backLink('/orders', 'All orders')}${heading(title, print)}${orders.map(slip)}${none}${more}`,
  }
}

function slip(order: ListedOrderToShip): Markup {
  const { number, customerName, customerPhone, customerNote, address } = order
  const phone = address?.phone ?? customerPhone
  const collected = cashOf(order)
  const entries = [
    ['Recipient', html`<strong>${address?.recipientName ?? customerName}</strong><br>${phone ?? 'no phone number'}`],
    ['Address', address === null ? 'The customer collects the order.' : addressOf(address)],
    ...(address?.instructions == null ? [] : ([['Instructions', address.instructions]] as const)),
    ...(customerNote === null ? [] : ([['Note from the customer', customerNote]] as const)),
    ...(collected === 0 ? [] : ([['Cash to collect', html`<strong>${nairaText(collected)}</strong>`]] as const)),
  ] as const
  return html`<article class="slip"><h2>${number}</h2>${facts(entries)}${itemsOf(order)}</article>`
}

/** Returns the amount that the customer must still pay on delivery, in kobo. 0 if the order is not paid on delivery. */
function cashOf({ paymentMethod, totalKobo, paidKobo }: ListedOrderToShip): number {
  return paymentMethod === 'pay_on_delivery' ? Math.max(0, totalKobo - paidKobo) : 0
}

function addressOf({ line1, line2, landmark, area, city, state }: Address): Markup {
  const places = [...new Set([area, city, state])].filter((part) => part !== null).join(', ')
  const lines = [line1, line2, places, landmark].filter((line) => line !== null)
  return html`${lines.map((line, index) => html`${index === 0 ? nothing : html`<br>`}${line}`)}`
}

/** Shows the units that have not left the shop and that the customer will receive. */
function itemsOf({ number, lines, variants }: ListedOrderToShip): Markup {
  const rows = lines.map((line) => ({ ...line, units: unitsToSendOf(line) })).filter(({ units }) => units > 0)
  if (rows.length === 0) return html`<p>No unit is left to pack.</p>`
  return table(`Items of ${number}`, rows, [
    { title: 'Quantity', cell: ({ units }) => html`<strong>${count(units)}</strong>`, isNumber: true, phone: 'state' },
    {
      title: 'Item',
      cell: ({ itemId, title }) => {
        const { title: variant = '' } = variants[itemId] ?? {}
        return variant === '' ? title : `${title}, ${variant}`
      },
      phone: 'title',
    },
    { title: 'SKU', cell: ({ itemId }) => variants[itemId]?.sku ?? '', phone: 'detail' },
  ])
}

export const packingRoutes: readonly Route[] = [slipsPage, chosenSlips, exportChosenAction]
