import {
  isEmailedByDefault,
  type NotificationKind,
  notificationKindNames,
} from '../../registry/values/notifications.ts'
import type { Actor } from '../store/core/audit.ts'
import type { ReadDb } from '../store/core/database.ts'
import { type Context, mutate } from '../store/core/mutation.ts'
import {
  findPreferences,
  type Preference,
  type PreferenceOwner,
  putPreferences,
} from '../store/notifications/preferences.ts'

export async function preferencesOf(db: ReadDb, owner: PreferenceOwner): Promise<readonly Preference[]> {
  const stored = await findPreferences(db, owner)
  if (stored === undefined) throw new Error('The member was not found.')
  const byKind = new Map(stored.chosen.map(({ kind, isByEmail }) => [kind, isByEmail]))
  return notificationKindNames.map((kind) => ({
    kind,
    isByEmail: byKind.get(kind) ?? isEmailedByDefault(kind, stored.role),
  }))
}

/**
 * The audit log records the change of the preferences, because an attacker with a stolen session could turn off the
 * warnings about its misuse.
 */
export async function setPreferences(
  context: Context,
  actor: Actor,
  { emailed, ...owner }: PreferenceOwner & { readonly emailed: readonly NotificationKind[] },
): Promise<void> {
  const { merchantId, memberId } = owner
  const mutation = {
    tenant: { merchantId, mode: 'live' } as const,
    actor,
    action: 'member.notification_preferences' as const,
    resourceType: 'member',
    resourceId: () => memberId,
  }
  await mutate(context, mutation, async ({ trx, note }) => {
    const before = await preferencesOf(trx, owner)
    const after = before.map(({ kind }) => ({ kind, isByEmail: emailed.includes(kind) }))
    putPreferences(trx, owner, after)
    note({ emailed: [emailedIn(before), emailedIn(after)] })
  })
}

function emailedIn(preferences: readonly Preference[]): readonly NotificationKind[] {
  return preferences.filter(({ isByEmail }) => isByEmail).map(({ kind }) => kind)
}
