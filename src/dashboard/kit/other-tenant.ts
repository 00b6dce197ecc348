import type { FieldProblem } from './draft.ts'
import type { Visit } from './visit.ts'

/**
 * Returns the problem of a form that was made for another merchant or mode. All tabs of a browser share one selection, so a
 * form could otherwise act on a merchant that its page does not show. This prevents an accident, not an attack: a form that
 * names no merchant, as a program may send it, acts on the selected one.
 */
export function otherTenantProblem(
  { tenant, member }: Pick<Visit, 'tenant' | 'member'>,
  madeFor: string | null,
): FieldProblem | undefined {
  if (madeFor === null || madeFor === tenant.merchantId) return undefined
  const { name, mode } = member.selected
  const message = `The form was made for another merchant or mode. It now acts on ${name} in ${mode} mode: check it and submit it again.`
  return { field: undefined, message }
}
