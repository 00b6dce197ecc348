import { isEmailedByDefault, notificationKindNames } from '../../registry/values/notifications.ts'
import { isRole, rolePermissions, roles } from '../../registry/values/roles.ts'
import type { MailRules } from '../store/notifications/mails.ts'

const readers = Object.keys(roles)
  .filter(isRole)
  .filter((role) => rolePermissions[role].has('notifications:read'))

const defaults = readers.flatMap((role) =>
  notificationKindNames.filter((kind) => isEmailedByDefault(kind, role)).map((kind) => ({ role, kind })),
)

export const mailRules: MailRules = {
  readers,
  defaultRoles: defaults.map(({ role }) => role),
  defaultKinds: defaults.map(({ kind }) => kind),
}
