import { toTimestamp } from '../../base/clock.ts'
import { deleteSubmittedForm, type FormKey, insertSubmittedForm } from '../../store/access/submitted-forms.ts'
import type { Context } from '../../store/core/mutation.ts'

/**
 * Claims a submitted form before its action changes anything, so that the action runs only once. If the same form is
 * submitted several times, exactly one call returns `claimed`.
 */
export async function claimForm(context: Context, form: FormKey): Promise<'claimed' | 'already_submitted'> {
  const now = toTimestamp(context.clock.nowMs())
  return (await insertSubmittedForm(context.database, { ...form, now })) ? 'claimed' : 'already_submitted'
}

/** Releases the claim of a form whose action failed without a change, so that the form can be submitted again. */
export function releaseForm(context: Context, form: FormKey): Promise<void> {
  return deleteSubmittedForm(context.database, form)
}
