import { isPermission, permissions, rolePermissions } from '../../../registry/values/roles.ts'
import type { Markup } from '../../markup/markup.ts'
import { code, table } from '../../markup/parts.ts'
import { roleNames } from './role-field.ts'

const permissionNames = Object.keys(permissions).filter(isPermission)

export function permissionTable(): Markup {
  return table('Permissions of the roles', permissionNames, [
    { title: 'Permission', cell: (name) => code(name) },
    { title: 'Allows to', cell: (name) => permissions[name] },
    ...roleNames.map((role) => ({
      title: role,
      cell: (name: (typeof permissionNames)[number]) => (rolePermissions[role].has(name) ? 'yes' : '–'),
    })),
  ])
}
