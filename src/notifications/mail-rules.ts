import { emailedByDefault } from '../../registry/values/notifications.ts'
import { isRole, rolePermissions, roles } from '../../registry/values/roles.ts'
import type { MailRules } from '../store/notifications/mails.ts'

/**
 * Default e-mail settings: members whose role may read notifications get those that need action, unless they chose
 * otherwise.
 */
export const mailRules: MailRules = {
  roles: Object.keys(roles)
    .filter(isRole)
    .filter((role) => rolePermissions[role].has('notifications:read')),
  kinds: emailedByDefault,
}
