import { z } from 'zod'
import { states } from '../../../../registry/values/states.ts'
import { type Draft, newDraft } from '../../kit/draft.ts'
import { version } from '../../kit/fields.ts'
import { type Acted, action, page } from '../../kit/route.ts'
import { read, type Visit } from '../../kit/visit.ts'
import { editForm } from './edit-form.ts'
import { fieldsOf } from './new-order.ts'
import { changeProblems, changesOf, draftOfOrder, type Order } from './order-changes.ts'
import { problemsOfRefusal } from './problems.ts'
import { anyTexts, shownTotalOf, typedItemsOf } from './values.ts'

const path = '/orders/{id}/edit'
const permission = 'orders:write'

export const editOrderPage = page({
  path,
  permission,
  show: async (visit, { id }) => {
    const order = await read(visit, 'getOrder', { params: { id } })
    return editForm(visit, order, draftOfOrder(order))
  },
})

const fields = z
  .object({
    intent: z.enum(['preview', 'save']).optional(),
    remove: z.string().optional(),
    state: z.enum(states).optional(),
    version,
  })
  .catchall(anyTexts)

export const editOrderAction = action({
  path,
  permission,
  done: 'The order was changed.',
  question: null,
  fields,
  form: async (visit, { id }, draft) => editForm(visit, await read(visit, 'getOrder', { params: { id } }), draft),
  run: async (visit, { id }, given): Promise<Acted> => {
    const order = await read(visit, 'getOrder', { params: { id } })
    const { intent, version: opened, ...values } = given
    const draft = newDraft({ ...values, version: String(opened) })
    const shownTotal = shownTotalOf(draft)
    const isSaved = intent === 'save' && shownTotal !== undefined && changeProblems(draft).length === 0
    if (!isSaved) return previewed(visit, order, draft)
    const called = await visit.call('updateOrder', {
      params: { id },
      body: { ...changesOf(draft, order), expectedTotalKobo: shownTotal },
      version: opened,
    })
    if (called.is === 'answered') return { is: 'done', to: `/orders/${id}` }
    const problems = problemsOfRefusal(called.refusal, fieldsOf(typedItemsOf(draft)), true)
    return previewed(visit, order, { ...draft, problems })
  },
})

async function previewed(visit: Visit, order: Order, draft: Draft): Promise<Acted> {
  return { is: 'previewed', content: await editForm(visit, order, draft) }
}
