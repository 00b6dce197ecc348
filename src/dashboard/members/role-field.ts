import { z } from 'zod'
import { isRole, type Role, roles } from '../../../registry/values/roles.ts'
import { html, type Markup } from '../../markup/markup.ts'
import type { Draft } from '../kit/draft.ts'
import { select } from '../kit/form.ts'

export const roleNames = Object.keys(roles).filter(isRole)

export const roleOf = z
  .string({ error: 'Choose a role.' })
  .refine((text): text is Role => isRole(text), { error: 'Choose a role.' })

export function roleField(draft: Draft): Markup {
  const choices = roleNames.map((role) => [role, role] as const)
  const about = roleNames.map((role) => html`<li><strong>${role}</strong>: ${roles[role]}</li>`)
  return html`${select(draft, { name: 'role', label: 'Role', choices })}<ul class="hint roles">${about}</ul>`
}
