import { toTimestamp } from '../../base/clock.ts'
import { deleteSubmittedForm, type FormKey, insertSubmittedForm } from '../../store/access/submitted-forms.ts'
import type { Context } from '../../store/core/mutation.ts'

/** Claims a form before its change is made. Of concurrent or repeated submissions, exactly one gets `claimed`. */
export async function claimForm(context: Context, form: FormKey): Promise<'claimed' | 'already_submitted'> {
  const now = toTimestamp(context.clock.nowMs())
  return (await insertSubmittedForm(context.database, { ...form, now })) ? 'claimed' : 'already_submitted'
}

/** Releases a form whose change was not made, so that it can be submitted again. */
export function releaseForm(context: Context, form: FormKey): Promise<void> {
  return deleteSubmittedForm(context.database, form)
}
