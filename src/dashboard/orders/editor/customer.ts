import { html, type Markup, nothing } from '../../../markup/markup.ts'
import { count } from '../../../markup/parts.ts'
import type { Refusal } from '../../../operations/execute/refusal.ts'
import type { ReplyOf } from '../../kit/call.ts'
import { type Draft, type FieldProblem, fieldValue } from '../../kit/draft.ts'
import { hiddenField, problemList, textField } from '../../kit/form.ts'
import type { Visit } from '../../kit/visit.ts'
import { addressNames, addressValues, hasAddress } from './address.ts'
import { typed, typedFields } from './values.ts'

/** The customer in the form of a new order: an existing customer, or the contact data of a new one. */

type Customer = ReplyOf<'getCustomer'>

export interface CustomerChoice {
  readonly chosen: Customer | undefined
  /** Undefined if the member has not searched. */
  readonly found: readonly Customer[] | undefined
  readonly problems: readonly FieldProblem[]
}

const newNames = ['name', 'email', 'phone'] as const

const customersMax = '10'

/** If no customer is chosen in the form, searches for customers by the text in the form. */
export async function readCustomer(visit: Visit, draft: Draft): Promise<CustomerChoice> {
  const id = typed(draft, 'customerId')
  if (id !== undefined) {
    const called = await visit.call('getCustomer', { params: { id } })
    if (called.is === 'answered') return { chosen: called.reply, found: undefined, problems: [] }
    return refusedCustomer(called.refusal)
  }
  const q = typed(draft, 'findCustomer')
  if (q === undefined) return { chosen: undefined, found: undefined, problems: [] }
  const called = await visit.call('listCustomers', { query: { q, limit: customersMax } })
  if (called.is === 'answered') return { chosen: undefined, found: called.reply.data, problems: [] }
  return refusedCustomer(called.refusal)
}

function refusedCustomer({ code, problems, message: reason }: Refusal): CustomerChoice {
  const unknown = 'This customer does not exist. Search again, or enter a new customer.'
  const message = code === 'customer_not_found' ? unknown : (problems?.[0]?.message ?? reason)
  return { chosen: undefined, found: undefined, problems: [{ field: 'findCustomer', message }] }
}

/**
 * If the member pressed the button to change the customer, returns the form values without the customer and without the
 * customer's address.
 */
export function withoutChangedCustomer(values: Draft['values']): Draft['values'] {
  if (values.changeCustomer === undefined) return values
  const removed = new Set<string>(['changeCustomer', 'customerId', 'addressOf', ...addressNames])
  return Object.fromEntries(Object.entries(values).filter(([name]) => !removed.has(name)))
}

/**
 * Fills the address fields, if they are empty, with the default address of the chosen customer. This is done once after
 * a customer was chosen, so that a member can then clear the fields.
 */
export function withDefaultAddress(draft: Draft, customer: Customer | undefined): Draft {
  if (customer === undefined || fieldValue(draft, 'addressOf') === customer.id) return draft
  const { addresses, defaultAddressId } = customer
  const address = hasAddress(draft) ? undefined : addresses.find(({ id }) => id === defaultAddressId)
  const lines = Object.entries(address === undefined ? {} : addressValues(address)).flatMap(([name, text]) =>
    text === undefined ? [] : [[name, [text]] as const],
  )
  return { ...draft, values: { ...draft.values, ...Object.fromEntries(lines), addressOf: [customer.id] } }
}

/** Returns the customer fields of the request. Undefined if the form has no customer. */
export function customerIn(draft: Draft) {
  const customerId = typed(draft, 'customerId')
  const { name = '', email = '', phone } = typedFields(draft, newNames)
  const isNew = newNames.some((each) => typed(draft, each) !== undefined)
  const customer = { name, email, ...(phone === undefined ? {} : { phone }) }
  if (customerId === undefined) return isNew ? { customer } : undefined
  return isNew ? { customerId, customer } : { customerId }
}

/**
 * Completes a new customer for the preview of an order, so that a member can quote the total before the customer has given
 * an e-mail address. The address is of a domain that is reserved for examples, so no customer of the merchant has it.
 */
export function withPreviewCustomer(draft: Draft): Draft {
  if (typed(draft, 'customerId') !== undefined) return draft
  const { name = 'New customer', email = 'new-customer@example.com' } = typedFields(draft, newNames)
  return { ...draft, values: { ...draft.values, name: [name], email: [email] } }
}

/**
 * Returns the problems of a form in which the new customer is incomplete, or which has both an existing and a new
 * customer.
 */
export function customerProblems(draft: Draft): readonly FieldProblem[] {
  const given = newNames.filter((name) => typed(draft, name) !== undefined)
  if (given.length === 0) return []
  if (typed(draft, 'customerId') !== undefined)
    return [{ field: 'findCustomer', message: 'Choose a customer, or enter a new one, but not both.' }]
  const missing = (['name', 'email'] as const).filter((name) => !given.includes(name))
  return missing.map((field) => ({ field, message: 'Fill in this field.' }))
}

export function customerFields(draft: Draft, { chosen, found }: CustomerChoice): Markup {
  if (chosen !== undefined) return chosenCustomer(draft, chosen)
  const search = textField(draft, {
    ...{ name: 'findCustomer', label: 'Find a customer', type: 'search' },
    hint: 'Name, e-mail address, or phone number in any format.',
  })
  return html`<div class="find">${search}<button name="intent" value="preview" aria-label="Search customers">Search</button></div>
${found === undefined ? nothing : foundCustomers(draft, found)}
<fieldset class="field"><legend>Or a new customer</legend><div class="columns">
${textField(draft, { name: 'name', label: 'Name' })}
${textField(draft, { name: 'phone', label: 'Phone' })}
${textField(draft, { name: 'email', label: 'E-mail', type: 'email', hint: 'Required for the receipt.' })}</div></fieldset>`
}

function chosenCustomer(draft: Draft, customer: Customer): Markup {
  const { id, name, email, phone, ordersCount } = customer
  return html`${hiddenField('customerId', id)}${hiddenField('addressOf', fieldValue(draft, 'addressOf'))}
<p id="f-findCustomer" tabindex="-1">${name}<small>${phone ?? 'no phone number'}</small><small>${email}</small>${ordersCount === 0 ? nothing : html`<small>${count(ordersCount)} ${ordersCount === 1 ? 'order' : 'orders'}</small>`}</p>
${problemList(draft, 'findCustomer')}<button name="changeCustomer" value="yes">Change the customer</button>`
}

function foundCustomers(draft: Draft, found: readonly Customer[]): Markup {
  if (found.length === 0) return html`<p role="status">No customer matches the search. Enter a new customer.</p>`
  const isSingle = found.length === 1 && newNames.every((name) => typed(draft, name) === undefined)
  const option = ({ id, name, email, phone }: Customer) =>
    html`<label class="box"><input type="radio" name="customerId" value="${id}"${isSingle ? html` checked` : nothing}><span>${name}<small>${phone ?? 'no phone number'}, ${email}</small></span></label>`
  return html`<fieldset class="field"><legend>Customers found</legend>${found.map(option)}
<label class="box"><input type="radio" name="customerId" value=""${isSingle ? nothing : html` checked`}><span>None of these</span></label></fieldset>`
}
