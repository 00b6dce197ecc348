import { reportsProblem } from '../../registry/values/notifications.ts'
import type { Actor } from '../store/core/audit.ts'
import { type Context, mutate, type Tenant } from '../store/core/mutation.ts'
import { lockNotification, setNotificationResolved } from '../store/notifications/resolution.ts'

export function isProblemOpen({ kind, resolvedAt }: { readonly kind: string; readonly resolvedAt: unknown }): boolean {
  return reportsProblem(kind) && resolvedAt === null
}

export type ResolveOutcome =
  | { readonly is: 'resolved' }
  /** Another member has resolved the problem before. */
  | { readonly is: 'unchanged' }
  /** The merchant has no notification with the id, or the kind of the notification reports no problem to resolve. */
  | { readonly is: 'unknown' }

/**
 * Marks the problem of a notification as resolved for all members, so that the start page no longer shows it. The audit
 * log records who resolved the problem, because it may concern money, such as a payment that was not recorded.
 */
export function resolveNotification(
  context: Context,
  actor: Actor,
  tenant: Tenant,
  id: string,
): Promise<ResolveOutcome> {
  const mutation = {
    tenant,
    actor,
    action: 'notification.resolve',
    resourceType: 'notification',
    resourceId: () => id,
  } as const
  return mutate<ResolveOutcome>(context, mutation, async ({ trx, now, note, abort }) => {
    const key = { merchantId: tenant.merchantId, id }
    const notification = await lockNotification(trx, key)
    if (notification === undefined) return abort({ is: 'unknown' })
    if (notification.resolvedAt !== null) return abort({ is: 'unchanged' })
    setNotificationResolved(trx, { ...key, now })
    note({ resolvedAt: [null, now] })
    return { is: 'resolved' }
  })
}
