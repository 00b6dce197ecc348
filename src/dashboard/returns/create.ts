import { z } from 'zod'
import { returnReasons } from '../../../registry/returns/return-states.ts'
import { counted } from '../../base/counted.ts'
import { html } from '../../markup/markup.ts'
import { empty, heading } from '../../markup/parts.ts'
import type { Refusal } from '../../operations/execute/refusal.ts'
import { listLostUnits } from '../../store/orders/buyer-pages.ts'
import { listUnitsUnderReturn } from '../../store/returns/return-writes.ts'
import type { ReplyOf } from '../kit/call.ts'
import type { Content } from '../kit/content.ts'
import { type Draft, newDraft } from '../kit/draft.ts'
import { form, optionsOf, select, textArea, textField } from '../kit/form.ts'
import { link, mainLink } from '../kit/parts.ts'
import { problemsBy } from '../kit/refused.ts'
import { type Acted, action, page } from '../kit/route.ts'
import { variantName } from '../kit/units.ts'
import { read, type Visit } from '../kit/visit.ts'
import { unitsWithCustomer } from '../orders/items.ts'
import { exceededUnits } from './exceeded-units.ts'

const path = '/orders/{id}/return'
const permission = 'orders:write'

export const newReturnPage = page({ path, permission, show: (visit, { id }) => formPage(visit, id, newDraft()) })

/** The quantity of each order item has a form field of its own, which is named after the item. */
const fields = z
  .object({ reason: z.enum(returnReasons, { error: 'Choose a reason.' }), note: z.string().optional() })
  .catchall(z.string().regex(/^\d{1,6}$/, { error: 'Enter a whole number.' }))

const quantityPrefix = 'quantity-'
const quantityField = (itemId: string) => `${quantityPrefix}${itemId}`

export const createReturnAction = action({
  path,
  permission,
  done: 'The return was created. Approve or reject it.',
  question: null,
  fields,
  form: (visit, { id }, draft) => formPage(visit, id, draft),
  run: async (visit, { id }, { reason, note, ...quantities }): Promise<Acted> => {
    const items = Object.entries(quantities).flatMap(([name, text]) => {
      const quantity = Number(text)
      return name.startsWith(quantityPrefix) && quantity > 0
        ? [{ itemId: name.slice(quantityPrefix.length), quantity }]
        : []
    })
    if (items.length === 0) return { is: 'refused', message: 'Enter the quantity of at least one item.' }
    const body = { items, reason, ...(note === undefined ? {} : { note }) }
    const called = await visit.call('createReturn', { params: { id }, body })
    return called.is === 'answered' ? { is: 'done', to: `/returns/${called.reply.id}` } : refused(called.refusal, items)
  },
})

function refused(refusal: Refusal, items: readonly { readonly itemId: string }[]): Acted {
  const exceeded = exceededUnits(refusal)
  if (exceeded === undefined) {
    const paths = new Map(items.map(({ itemId }, index) => [`items[${index}].quantity`, quantityField(itemId)]))
    return problemsBy(refusal, (path) => paths.get(path) ?? (path === 'note' ? path : undefined))
  }
  const problems = exceeded.map(({ itemId, returnableQuantity }) => {
    const message =
      returnableQuantity === 0
        ? 'No unit of this item can be returned: it is in another return, on its way or already returned.'
        : `At most ${counted(returnableQuantity, 'unit')} of this item can be returned.`
    return { field: quantityField(itemId), message }
  })
  return { is: 'invalid', problems }
}

/**
 * Returns the order items of which the customer has units. Each item has the number of these units, and the number of
 * them that are already in a return. Units that left the shop but were lost by a carrier are not counted.
 */
async function itemsWithCustomer({ context, tenant: { merchantId } }: Visit, { id, items }: ReplyOf<'getOrder'>) {
  const key = { merchantId, orderId: id }
  const [lost, underReturn] = await Promise.all([
    listLostUnits(context.database, key),
    listUnitsUnderReturn(context.database, key),
  ])
  return items.flatMap((item) => {
    const quantityIn = (units: typeof lost | typeof underReturn) =>
      units.find(({ itemId }) => itemId === item.id)?.quantity ?? 0
    const units = unitsWithCustomer(item) - quantityIn(lost)
    return units > 0 ? [{ item, units, inReturns: Math.min(units, quantityIn(underReturn)) }] : []
  })
}

function unitsHint(units: number, inReturns: number): string {
  const all = `The customer has ${counted(units, 'unit')}`
  return inReturns === 0
    ? `${all}.`
    : `${all}, of which ${counted(inReturns, 'unit')} ${inReturns === 1 ? 'is' : 'are'} in another return.`
}

async function formPage(visit: Visit, id: string, draft: Draft): Promise<Content> {
  const order = await read(visit, 'getOrder', { params: { id } })
  const title = `Create a return of ${order.number}`
  const withCustomer = await itemsWithCustomer(visit, order)
  const items = withCustomer.filter(({ units, inReturns }) => units > inReturns)
  const back = html`<p>${link(`/orders/${id}`, 'Back to the order')}</p>`
  if (items.length === 0) {
    const none =
      withCustomer.length === 0
        ? empty('The customer has no unit of this order, so nothing can be returned.')
        : empty(
            'Each unit that the customer has is in a return already.',
            html`<p>${mainLink(`/returns?order=${order.number}`, 'Open the returns of the order')}</p>`,
          )
    return { title, main: html`${heading(title)}${none}${back}` }
  }
  const quantities = items.map(({ item, units, inReturns }) =>
    textField(draft, {
      ...{ name: quantityField(item.id), label: `Units of ${variantName(item)}`, inputMode: 'numeric' },
      hint: unitsHint(units, inReturns),
    }),
  )
  const inputs = html`${quantities}
${select(draft, { name: 'reason', label: 'Reason', choices: optionsOf(returnReasons, 'Choose a reason') })}
${textArea(draft, { name: 'note', label: 'Internal note', hint: 'Optional. At most 500 characters.' })}`
  const main = html`${heading(title)}<p>Enter how many units of each item ${order.customer.name} wants to return. No money moves yet.</p>
${form(visit, `/orders/${id}/return`, inputs, { submit: 'Create return' })}${back}`
  return { title, main }
}
