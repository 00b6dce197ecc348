import type { FieldProblem } from './draft.ts'
import type { Visit } from './visit.ts'

/**
 * Returns a problem if the form was rendered for another merchant or mode than the selected one. All tabs of a browser
 * share the selection, so a form in an older tab could otherwise change a merchant that its page does not show. This
 * check prevents accidents and not attacks: a form without a merchant, which only a program sends, applies to the
 * selected merchant.
 */
export function otherTenantProblem(
  { tenant, member }: Pick<Visit, 'tenant' | 'member'>,
  madeFor: string | null,
): FieldProblem | undefined {
  if (madeFor === null || madeFor === tenant.merchantId) return undefined
  const { name, mode } = member.selected
  const message = `The form was opened for another shop or mode. It now applies to ${name} in ${mode} mode: check the form and submit it again.`
  return { field: undefined, message }
}
