import { z } from 'zod'
import { isRole, type Role, roles } from '../../../registry/values/roles.ts'
import { html, type Markup } from '../../markup/markup.ts'
import type { Draft } from '../kit/draft.ts'
import { select } from '../kit/form.ts'

export const roleNames = Object.keys(roles).filter(isRole)

/** The schema of the form field for a member's role. */
export const roleOf = z
  .string({ error: 'Choose a role.' })
  .refine((text): text is Role => isRole(text), { error: 'Choose a role.' })

/** Returns the form field for a member's role, with a sentence that explains each role. */
export function roleField(draft: Draft): Markup {
  const choices = roleNames.map((role) => [role, role] as const)
  const about = roleNames.map((role) => html`<li><strong>${role}</strong>: ${roles[role]}</li>`)
  return html`${select(draft, { name: 'role', label: 'Role', choices })}<ul class="hint roles">${about}</ul>`
}
