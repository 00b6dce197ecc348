import { z } from 'zod'
import { orderSources, paymentMethods } from '../../../../registry/orders/order-states.ts'
import { states } from '../../../../registry/values/states.ts'
import { html } from '../../../markup/markup.ts'
import { heading } from '../../../markup/parts.ts'
import type { ReplyOf } from '../../kit/call.ts'
import { type Draft, newDraft } from '../../kit/draft.ts'
import { link, mainLink } from '../../kit/parts.ts'
import { type Acted, action, page } from '../../kit/route.ts'
import type { Visit } from '../../kit/visit.ts'
import { readCustomer } from './customer.ts'
import { deliveryPrices, pricesIntent } from './delivery-prices.ts'
import { defaultAddressOf, newOrderForm, newOrderPath } from './new-form.ts'
import { buildOrder, usualMethod, usualSource } from './new-order.ts'
import { problemsOfRefusal } from './problems.ts'
import { storeAddress, storeAddressField } from './store-address.ts'
import { anyTexts, shownTotalOf } from './values.ts'

/**
 * The pages on which a member enters an order, such as a sale by WhatsApp. Every button submits the whole form, and the
 * response shows the form with the current total. The order is created only if the total has not changed since the form
 * was shown.
 */

const permission = 'orders:write'

export const newOrderPage = page({
  path: newOrderPath,
  permission,
  show: (visit) =>
    newOrderForm(
      visit,
      newDraft({
        ...{ paymentMethod: usualMethod, source: usualSource, [storeAddressField]: 'yes' },
        customerId: visit.query.customerId,
      }),
    ),
})

const fields = z
  .object({
    intent: z.enum(['preview', pricesIntent, 'create', 'create-link']).optional(),
    remove: z.string().optional(),
    changeCustomer: z.string().optional(),
    state: z.enum(states).optional(),
    paymentMethod: z.enum(paymentMethods).optional(),
    source: z.enum(orderSources).optional(),
  })
  .catchall(anyTexts)

export const newOrderAction = action({
  path: newOrderPath,
  permission,
  done: 'The order was created.',
  question: null,
  fields,
  form: (visit, _params, draft) => newOrderForm(visit, draft),
  run: async (visit, _params, given): Promise<Acted> => {
    const { intent, ...values } = given
    const draft = newDraft(values)
    if (intent === pricesIntent)
      return { is: 'previewed', content: await newOrderForm(visit, draft, await deliveryPrices(visit, draft)) }
    const shownTotal = shownTotalOf(draft)
    const isCreated = intent === 'create' || intent === 'create-link'
    if (!isCreated) return previewed(visit, draft)
    const built = await orderIn(visit, draft)
    if (built.is !== 'built') return previewed(visit, { ...draft, problems: built.problems })
    // If the form contains no total, the member has not seen the total yet, so the form is shown again with the total.
    if (shownTotal === undefined) return previewed(visit, draft)
    const called = await visit.call('createOrder', { body: { ...built.body, expectedTotalKobo: shownTotal } })
    if (called.is === 'refused')
      return previewed(visit, { ...draft, problems: problemsOfRefusal(called.refusal, built.fields) })
    const order = called.reply
    await storeAddress(visit, draft, { order, body: built.body })
    return intent === 'create' ? { is: 'done', to: `/orders/${order.id}` } : createLink(visit, order)
  },
})

async function previewed(visit: Visit, draft: Draft): Promise<Acted> {
  return { is: 'previewed', content: await newOrderForm(visit, draft) }
}

async function orderIn(visit: Visit, draft: Draft) {
  const { chosen } = await readCustomer(visit, draft)
  return buildOrder(draft, defaultAddressOf(chosen))
}

/** The new order exists even if the provider returns no payment link. */
async function createLink(visit: Visit, { id, number }: ReplyOf<'createOrder'>): Promise<Acted> {
  const path = `/orders/${id}/payment-link`
  const called = await visit.call('createPaymentLink', { params: { id }, body: {} })
  if (called.is === 'answered') return { is: 'done', to: path }
  const title = `Order ${number} has no payment link`
  const main = html`${heading(title)}<p>The order was created. Its payment link was not: ${called.refusal.message}</p>
<p>${mainLink(path, 'Create the payment link')}</p><p>${link(`/orders/${id}`, 'Open the order')}</p>`
  return { is: 'reported', content: { title, main } }
}
