import { z } from 'zod'
import { html } from '../../markup/markup.ts'
import { heading } from '../../markup/parts.ts'
import type { Content } from '../kit/content.ts'
import { type Draft, fieldValue } from '../kit/draft.ts'
import { version } from '../kit/fields.ts'
import { form, hiddenField } from '../kit/form.ts'
import { link } from '../kit/parts.ts'
import { action, page } from '../kit/route.ts'
import { read, type Visit } from '../kit/visit.ts'
import { customerChange, customerDraft, customerFields, customerInputs, refusedCustomer } from './fields.ts'

const path = '/customers/{id}/edit'
const permission = 'customers:write'

export const editCustomerPage = page({ path, permission, show: (visit, { id }) => formPage(visit, id) })

export const editCustomerAction = action({
  path,
  permission,
  done: 'The customer was changed.',
  question: null,
  fields: z.strictObject({ ...customerFields, version }),
  form: (visit, { id }, draft) => formPage(visit, id, draft),
  run: async (visit, { id }, { version: expected, ...fields }) => {
    const customer = await read(visit, 'getCustomer', { params: { id } })
    const body = customerChange(customer, fields)
    const called = await visit.call('updateCustomer', { params: { id }, version: expected, body })
    return called.is === 'answered' ? { is: 'done', to: `/customers/${id}` } : refusedCustomer(called.refusal, fields)
  },
})

async function formPage(visit: Visit, id: string, given?: Draft): Promise<Content> {
  const customer = await read(visit, 'getCustomer', { params: { id } })
  const draft = given ?? customerDraft(customer)
  const title = `Edit ${customer.name}`
  const inputs = html`${hiddenField('version', fieldValue(draft, 'version'))}${customerInputs(draft)}`
  const main = html`${heading(title)}<p>Existing orders keep the name, e-mail address and phone number with which they were created.</p>
${form(visit, `/customers/${id}/edit`, inputs, { submit: 'Save customer' })}
<p>${link(`/customers/${id}`, 'Back to the customer')}</p>`
  return { title, main }
}
