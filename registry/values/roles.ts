import { isScope, type Scope, scopes } from './scopes.ts'

/** Permissions of the dashboard that are not scopes of API tokens, with the descriptions that merchants see. */
export const dashboardPermissions = {
  'tokens:read': 'Read API tokens, without their values.',
  'tokens:write':
    'Create, rotate and revoke API tokens. A token for live mode can have only scopes that the role of the member has.',
  'webhooks:read': 'Read webhook endpoints and their deliveries.',
  'webhooks:write': 'Create, update and delete webhook endpoints, and replay deliveries.',
  'webhooks:secret': 'Show and rotate the signing secrets of webhook endpoints.',
  'requests:read': 'Read the log of API requests.',
  'audit:read': 'Read the audit log.',
  'notifications:read': 'Read notifications.',
  'members:read': 'Read the members and their roles.',
  'members:write': 'Invite and remove members, change their roles, and create recovery links.',
  'settings:read': 'Read the settings of the shop.',
  'settings:write': 'Change the settings of the shop.',
} as const

export type DashboardPermission = keyof typeof dashboardPermissions

export type Permission = Scope | DashboardPermission

export const permissions: Readonly<Record<Permission, string>> = { ...scopes, ...dashboardPermissions }

export const roles = {
  owner: 'Has all permissions, and manages the members.',
  developer: 'Manages API tokens, webhooks and secrets, and reads the log of API requests. Cannot change orders.',
  operations: 'Manages the shop: orders, products, customers, refunds, discounts and shipments.',
  viewer: 'Reads everything except tokens and secrets. Changes nothing.',
} as const

export type Role = keyof typeof roles

export function isRole(value: string): value is Role {
  return Object.hasOwn(roles, value)
}

const allScopes = Object.keys(scopes).filter(isScope)
const readScopes = allScopes.filter((scope) => scope.endsWith(':read'))

/** Permissions that every role has. They allow no changes, and show no secrets. */
const common = [
  'webhooks:read',
  'requests:read',
  'audit:read',
  'notifications:read',
  'members:read',
  'settings:read',
] as const satisfies readonly Permission[]

export const rolePermissions: Readonly<Record<Role, ReadonlySet<Permission>>> = {
  owner: new Set(Object.keys(permissions).filter(isPermission)),
  developer: new Set([...readScopes, ...common, 'tokens:read', 'tokens:write', 'webhooks:write', 'webhooks:secret']),
  operations: new Set([...allScopes, ...common]),
  viewer: new Set([...readScopes, ...common]),
}

/**
 * Returns the scopes that a member with the given role can give to an API token. Test records have no value, so a
 * developer can give a test token every scope, to rehearse every operation.
 */
export function grantableScopes(role: Role, mode: 'live' | 'test'): readonly Scope[] {
  const permitted = rolePermissions[role]
  if (!permitted.has('tokens:write')) return []
  return mode === 'test' ? allScopes : allScopes.filter((scope) => permitted.has(scope))
}

export function isPermission(value: string): value is Permission {
  return Object.hasOwn(permissions, value)
}
