import { z } from 'zod'
import { refusedBy } from '../kit/refused.ts'
import { action } from '../kit/route.ts'
import { orderContent } from './show.ts'

export const commentAction = action({
  path: '/orders/{id}/comments',
  permission: 'orders:write',
  done: 'The comment was added.',
  question: null,
  fields: z.strictObject({ text: z.string({ error: 'Fill in this field.' }) }),
  form: (visit, { id }, draft) => orderContent(visit, id, draft),
  run: async (visit, { id }, body) => {
    const called = await visit.call('createOrderComment', { params: { id }, body })
    if (called.is === 'answered') return { is: 'done', to: `/orders/${id}` }
    return refusedBy(called.refusal, { text: 'text' })
  },
})
