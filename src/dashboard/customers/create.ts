import { z } from 'zod'
import { html } from '../../markup/markup.ts'
import { heading } from '../../markup/parts.ts'
import type { Content } from '../kit/content.ts'
import { type Draft, newDraft } from '../kit/draft.ts'
import { form } from '../kit/form.ts'
import { link } from '../kit/parts.ts'
import { action, page } from '../kit/route.ts'
import type { Visit } from '../kit/visit.ts'
import { customerFields, customerInputs, newCustomerBody, refusedCustomer } from './fields.ts'
import { customerPaths } from './paths.ts'

const path = customerPaths.create
const permission = 'customers:write'

export const newCustomerPage = page({ path, permission, show: async (visit) => formPage(visit, newDraft()) })

export const createCustomerAction = action({
  path,
  permission,
  done: 'The customer was created.',
  question: null,
  fields: z.strictObject(customerFields),
  form: async (visit, _params, draft) => formPage(visit, draft),
  run: async (visit, _params, fields) => {
    const called = await visit.call('createCustomer', { body: newCustomerBody(fields) })
    if (called.is === 'refused') return refusedCustomer(called.refusal, fields)
    return { is: 'done', to: `${customerPaths.list}/${called.reply.id}` }
  },
})

function formPage(visit: Visit, draft: Draft): Content {
  const title = 'Create a customer'
  const main = html`${heading(title)}${form(visit, path, customerInputs(draft), { submit: 'Create customer' })}
<p>${link(customerPaths.list, 'Back to the customers')}</p>`
  return { title, main }
}
