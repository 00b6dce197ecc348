import { isPermission, permissions, type Role, rolePermissions, roles } from '../../registry/values/roles.ts'
import { code, table } from './markdown.ts'

/** The parts of the dashboard guide that are derived from the roles of the registry. */

const roleNames = ['owner', 'developer', 'operations', 'viewer'] as const satisfies readonly Role[]

export function roleTable(): string {
  return table(
    ['Role', 'Meaning'],
    roleNames.map((role) => [code(role), roles[role]]),
  )
}

export function rolePermissionTable(): string {
  return table(
    ['Permission', 'Allows', ...roleNames.map(code)],
    Object.entries(permissions).map(([name, allows]) => [
      code(name),
      allows,
      ...roleNames.map((role) => (isPermission(name) && rolePermissions[role].has(name) ? 'yes' : '–')),
    ]),
  )
}

export const roleWords: readonly string[] = [...Object.entries(roles), ...Object.entries(permissions)].flat()
