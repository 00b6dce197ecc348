import { z } from 'zod'
import { html, nothing } from '../../markup/markup.ts'
import { heading } from '../../markup/parts.ts'
import type { ReplyOf } from '../kit/call.ts'
import { confirmation } from '../kit/confirmation.ts'
import type { Content } from '../kit/content.ts'
import { type Draft, fieldValue, newDraft } from '../kit/draft.ts'
import { version } from '../kit/fields.ts'
import { form, hiddenField } from '../kit/form.ts'
import { PageError } from '../kit/page-error.ts'
import { link } from '../kit/parts.ts'
import { action, page } from '../kit/route.ts'
import { read, type Visit } from '../kit/visit.ts'
import {
  addressChange,
  addressDraft,
  addressFields,
  addressInputs,
  newAddressBody,
  refusedAddress,
} from './address-fields.ts'
import { addressText } from './address-section.ts'

/** The forms that add, edit and remove an address of a customer. */

const permission = 'customers:write'
const fields = z.strictObject({ ...addressFields, version })

type Customer = ReplyOf<'getCustomer'>

const newPath = '/customers/{id}/addresses/new'

export const newAddressPage = page({ path: newPath, permission, show: (visit, { id }) => newForm(visit, id) })

export const createAddressAction = action({
  path: newPath,
  permission,
  done: 'The address was added.',
  question: null,
  fields,
  form: (visit, { id }, draft) => newForm(visit, id, draft),
  run: async (visit, { id }, { version: expected, ...given }) => {
    const body = newAddressBody(given)
    const called = await visit.call('createAddress', { params: { id }, version: expected, body })
    return called.is === 'answered' ? { is: 'done', to: `/customers/${id}` } : refusedAddress(called.refusal)
  },
})

async function newForm(visit: Visit, id: string, given?: Draft): Promise<Content> {
  const customer = await read(visit, 'getCustomer', { params: { id } })
  const draft = given ?? newDraft({ version: String(customer.version) })
  return formPage(visit, customer, { draft, title: `Add an address for ${customer.name}`, path: 'new' })
}

const editPath = '/customers/{id}/addresses/{addressId}/edit'

export const editAddressPage = page({
  path: editPath,
  permission,
  show: (visit, { id, addressId }) => editForm(visit, { id, addressId }),
})

export const editAddressAction = action({
  path: editPath,
  permission,
  done: 'The address was changed.',
  question: null,
  fields,
  form: (visit, { id, addressId }, draft) => editForm(visit, { id, addressId }, draft),
  run: async (visit, { id, addressId }, { version: expected, ...given }) => {
    const { address } = await requireAddress(visit, { id, addressId })
    const body = addressChange(address, given)
    const called = await visit.call('updateAddress', { params: { id, addressId }, version: expected, body })
    return called.is === 'answered' ? { is: 'done', to: `/customers/${id}` } : refusedAddress(called.refusal)
  },
})

interface Ids {
  readonly id: string
  readonly addressId: string
}

async function editForm(visit: Visit, ids: Ids, given?: Draft): Promise<Content> {
  const { customer, address } = await requireAddress(visit, ids)
  const draft = given ?? addressDraft(address, customer.version)
  const title = `Edit an address of ${customer.name}`
  return formPage(visit, customer, { draft, title, path: `${address.id}/edit` })
}

async function requireAddress(visit: Visit, { id, addressId }: Ids) {
  const customer = await read(visit, 'getCustomer', { params: { id } })
  const address = customer.addresses.find((each) => each.id === addressId)
  if (address === undefined) throw new PageError(404, 'This address does not exist.')
  return { customer, address }
}

interface AddressForm {
  readonly draft: Draft
  readonly title: string
  /** Path of the form, relative to the path of the customer's addresses. */
  readonly path: string
}

function formPage(visit: Visit, { id, addresses }: Customer, { draft, title, path }: AddressForm): Content {
  const isOnly = addresses.length === (path === 'new' ? 0 : 1)
  const inputs = html`${hiddenField('version', fieldValue(draft, 'version'))}${addressInputs(draft, isOnly)}`
  const note = path === 'new' ? nothing : html`<p>Existing orders keep the addresses with which they were created.</p>`
  const main = html`${heading(title)}${note}
${form(visit, `/customers/${id}/addresses/${path}`, inputs, { submit: 'Save address' })}
<p>${link(`/customers/${id}`, 'Back to the customer')}</p>`
  return { title, main }
}

const removePath = '/customers/{id}/addresses/{addressId}/remove'

export const removeAddressPage = page({
  path: removePath,
  permission,
  show: (visit, { id, addressId }) => removeForm(visit, { id, addressId }),
})

export const removeAddressAction = action({
  path: removePath,
  permission,
  done: 'The address was removed.',
  question: () => ({
    text: 'The address is removed from the customer. Orders with the address keep it.',
    submit: 'Remove address',
  }),
  fields: z.strictObject({ version }),
  form: (visit, { id, addressId }) => removeForm(visit, { id, addressId }),
  run: async (visit, { id, addressId }, { version: expected }) => {
    const called = await visit.call('deleteAddress', { params: { id, addressId }, version: expected })
    return called.is === 'answered' ? { is: 'done', to: `/customers/${id}` } : refusedAddress(called.refusal)
  },
})

async function removeForm(visit: Visit, ids: Ids): Promise<Content> {
  const { customer, address } = await requireAddress(visit, ids)
  return confirmation(visit, `/customers/${customer.id}/addresses/${address.id}/remove`, {
    ...{ title: `Remove an address of ${customer.name}?`, submit: 'Remove address', isDangerous: true },
    text: `${addressText(address)}. Orders with this address keep it.`,
    ...{ fields: hiddenField('version', String(customer.version)), back: `/customers/${customer.id}` },
  })
}
