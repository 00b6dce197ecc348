import { grantableScopes } from '../../../registry/values/roles.ts'
import { isScope, type Scope, scopes } from '../../../registry/values/scopes.ts'
import { html, type Markup } from '../../markup/markup.ts'
import { link, withQuery } from '../kit/parts.ts'
import type { Visit } from '../kit/visit.ts'

interface Preset {
  readonly label: string
  readonly scopes: readonly Scope[]
}

/** All token scopes, in the order in which the token form explains them. */
export const allScopes: readonly Scope[] = Object.keys(scopes).filter(isScope)

/** The smallest sets of scopes that common integrations need. */
const presets: readonly Preset[] = [
  { label: 'Read only', scopes: allScopes.filter((scope) => scope.endsWith(':read')) },
  {
    label: 'Orders',
    scopes: ['orders:read', 'orders:write', 'customers:read', 'products:read', 'discounts:read', 'refunds:read'],
  },
  {
    label: 'Logistics',
    scopes: ['orders:read', 'logistics:read', 'logistics:quote', 'logistics:dispatch'],
  },
  {
    label: 'Catalogue',
    scopes: ['products:read', 'products:write', 'inventory:write'],
  },
  { label: 'Events', scopes: ['events:read'] },
]

/** Omits a link if the member’s role cannot give one of its scopes. */
export function presetLinks(visit: Visit, path: string): Markup {
  const grantable = grantableScopes(visit.member.selected.role, visit.tenant.mode)
  const allowed = presets.filter((preset) => preset.scopes.every((scope) => grantable.includes(scope)))
  const links = allowed.map(({ label, scopes: chosen }) => link(formPath(path, chosen), label))
  return html`<nav aria-label="Presets"><p>Start with the scopes of a common integration:</p><p class="actions">${links}</p></nav>`
}

export function formPath(path: string, chosen: readonly Scope[], name?: string): string {
  return withQuery(path, { name, scopes: chosen.join(',') })
}

export function scopesOf(text: string | undefined): readonly Scope[] {
  const named = new Set((text ?? '').split(','))
  return allScopes.filter((scope) => named.has(scope))
}
