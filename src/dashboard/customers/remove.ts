import { z } from 'zod'
import type { OrderId } from '../../../registry/values/vocabulary.ts'
import { blockingText, findBlockingOrders } from '../../commerce/customers/blocking-orders.ts'
import { html, type Markup } from '../../markup/markup.ts'
import { empty, heading } from '../../markup/parts.ts'
import { listListedOrders } from '../../store/orders/listed-orders.ts'
import type { ReplyOf } from '../kit/call.ts'
import { confirmation } from '../kit/confirmation.ts'
import type { Content } from '../kit/content.ts'
import { version } from '../kit/fields.ts'
import { hiddenField } from '../kit/form.ts'
import { link } from '../kit/parts.ts'
import { action, page } from '../kit/route.ts'
import { refusedChange } from '../kit/stale.ts'
import { read, type Visit } from '../kit/visit.ts'
import { orderBadge } from '../orders/tone.ts'
import { customerPaths } from './paths.ts'

/**
 * The two ways to remove a customer: deleting hides the customer from lists, and anonymising removes the personal data
 * permanently.
 */

const permission = 'customers:write'
const fields = z.strictObject({ version })

const anonymiseText =
  'The name, e-mail address, phone number, addresses, note, tags, consents and reference are removed from the customer and from all orders, refunds, shipments and stored events of the customer. Amounts, items, cities, states and times stay. This cannot be undone.'

/** States what happens to a customer who is deleted, and names only the data that the customer has. */
function deleteText({ addresses, note }: ReplyOf<'getCustomer'>): string {
  const lost = [...(addresses.length > 0 ? ['the addresses'] : []), ...(note === null ? [] : ['the note'])]
  const unread = lost.length === 0 ? '' : `, and ${lost.join(' and ')} can no longer be read`
  return `The customer no longer appears in lists${unread}. The orders of the customer remain, with the name, e-mail address and phone number with which they were created. To erase personal data from the orders too, anonymise the customer instead. A deleted customer cannot be restored.`
}

const anonymisePath = '/customers/{id}/anonymise'

export const anonymiseCustomerPage = page({
  path: anonymisePath,
  permission,
  show: (visit, { id }) => anonymiseForm(visit, id),
})

export const anonymiseCustomerAction = action({
  path: anonymisePath,
  permission,
  done: 'The customer was anonymised.',
  question: () => ({ text: anonymiseText, submit: 'Anonymise customer' }),
  fields,
  form: (visit, { id }) => anonymiseForm(visit, id),
  run: async (visit, { id }, { version: expected }) => {
    const called = await visit.call('anonymiseCustomer', { params: { id }, version: expected })
    return called.is === 'answered' ? { is: 'done', to: `/customers/${id}` } : refusedChange(called.refusal, 'customer')
  },
})

async function anonymiseForm(visit: Visit, id: string): Promise<Content> {
  const customer = await read(visit, 'getCustomer', { params: { id } })
  const title = `Anonymise ${customer.name}?`
  const { merchantId } = visit.tenant
  const { orderIds, count } = await findBlockingOrders(visit.context.database, { merchantId, customerId: customer.id })
  if (count > 0 && customer.status !== 'anonymised') {
    const back = html`<p>${link(`/customers/${id}`, 'Back to the customer')}</p>`
    const blocked = empty(blockingText(count), await blockingList(visit, orderIds))
    return { title, main: html`${heading(title)}${blocked}${back}` }
  }
  return confirmation(visit, `/customers/${id}/anonymise`, {
    ...{ title, text: anonymiseText, submit: 'Anonymise customer', isDangerous: true },
    ...{ fields: hiddenField('version', String(customer.version)), back: `/customers/${id}` },
  })
}

/**
 * Lists the orders that prevent the anonymisation of a customer. A delivered order prevents it only while one of its
 * refunds or shipments is in progress.
 */
async function blockingList({ context, tenant }: Visit, orderIds: readonly OrderId[]): Promise<Markup> {
  const orders = await listListedOrders(context.database, tenant.merchantId, orderIds)
  return html`<ul>${orders.map(({ id, number, status, shipments }) => html`<li>${link(`/orders/${id}`, number)} ${orderBadge(status, shipments)}</li>`)}</ul>`
}

const deletePath = '/customers/{id}/delete'

export const deleteCustomerPage = page({
  path: deletePath,
  permission,
  show: (visit, { id }) => deleteForm(visit, id),
})

export const deleteCustomerAction = action({
  path: deletePath,
  permission,
  done: 'The customer was deleted.',
  question: async (_sent, visit, { id }) => {
    const customer = await read(visit, 'getCustomer', { params: { id } })
    return { text: deleteText(customer), submit: 'Delete customer' }
  },
  fields,
  form: (visit, { id }) => deleteForm(visit, id),
  run: async (visit, { id }, { version: expected }) => {
    const called = await visit.call('deleteCustomer', { params: { id }, version: expected })
    return called.is === 'answered' ? { is: 'done', to: customerPaths.list } : refusedChange(called.refusal, 'customer')
  },
})

async function deleteForm(visit: Visit, id: string): Promise<Content> {
  const customer = await read(visit, 'getCustomer', { params: { id } })
  return confirmation(visit, `/customers/${id}/delete`, {
    ...{ title: `Delete ${customer.name}?`, text: deleteText(customer), submit: 'Delete customer', isDangerous: true },
    ...{ fields: hiddenField('version', String(customer.version)), back: `/customers/${id}` },
  })
}
