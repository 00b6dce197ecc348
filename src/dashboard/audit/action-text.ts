import { auditActions, isAuditAction } from '../../../registry/values/audit-actions.ts'
import { html, type Markup } from '../../markup/markup.ts'
import { code } from '../../markup/parts.ts'

/**
 * Returns an action of the audit log in words, such as `Invited a member` for `member.invite`. If only an earlier
 * release of the service wrote the action, returns the code of the action.
 */
export function actionText(action: string): string {
  return isAuditAction(action) ? auditActions[action] : action
}

/**
 * Shows an action in words, and, except on a phone, the code by which the audit log is filtered. For an action that
 * only an earlier release wrote, shows only the code.
 */
export function actionWithCode(action: string): Markup {
  if (!isAuditAction(action)) return code(action)
  return html`${auditActions[action]} <small class="wide-only">${code(action)}</small>`
}
