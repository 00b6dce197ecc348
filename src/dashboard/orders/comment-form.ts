import { type Markup, nothing } from '../../markup/markup.ts'
import { section } from '../../markup/parts.ts'
import type { ReplyOf } from '../kit/call.ts'
import type { Draft } from '../kit/draft.ts'
import { form, textArea } from '../kit/form.ts'
import { may, type Visit } from '../kit/visit.ts'

export function commentForm(visit: Visit, { id }: ReplyOf<'getOrder'>, draft: Draft): Markup {
  if (!may(visit, 'orders:write')) return nothing
  const hint = 'For the members of your shop. A comment can neither be changed nor deleted.'
  const text = textArea(draft, { name: 'text', label: 'Add a comment', hint })
  return section('Comment', form(visit, `/orders/${id}/comments`, text, { submit: 'Add comment', isSecondary: true }))
}
