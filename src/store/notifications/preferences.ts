import { sql } from 'kysely'
import type { NotificationKind } from '../../../registry/values/notifications.ts'
import type { Role } from '../../../registry/values/roles.ts'
import type { MemberId, MerchantId } from '../../../registry/values/vocabulary.ts'
import { finding } from '../core/calls.ts'
import type { WriteTrx } from '../core/database.ts'
import { writing } from '../core/statement.ts'

/** `merchantId` is the id of the merchant in live mode. */
export interface PreferenceOwner {
  readonly merchantId: MerchantId
  readonly memberId: MemberId
}

export interface Preference {
  readonly kind: NotificationKind
  readonly isByEmail: boolean
}

export interface StoredPreferences {
  /**
   * The role of the member. If the member has stored no preference for a kind of notification, the role decides whether
   * the member gets it.
   */
  readonly role: Role
  readonly chosen: readonly Preference[]
}

/** Undefined if the member does not exist. */
export const findPreferences = finding<PreferenceOwner>()(
  'find_notification_preferences',
  (p) => sql<StoredPreferences>`
    select
      member.role,
      coalesce(
        (
          select json_agg(json_build_object('kind', kind, 'isByEmail', by_email))
          from notification_preferences
          where merchant_id = ${p.merchantId} and member_id = ${p.memberId}
        ),
        '[]'
      ) as chosen
    from members as member
    where member.merchant_id = ${p.merchantId} and member.id = ${p.memberId}`,
)

const put = writing<PreferenceOwner & { kinds: readonly NotificationKind[]; choices: readonly boolean[] }>()(
  'put_notification_preferences',
  (p) => sql`
    insert into notification_preferences (merchant_id, member_id, kind, by_email)
    select ${p.merchantId}, ${p.memberId}, kind, by_email
    from unnest(${p.kinds}::text[], ${p.choices}::boolean[]) as choice (kind, by_email)
    order by kind
    on conflict (merchant_id, member_id, kind) do update set by_email = excluded.by_email`,
)

export function putPreferences(trx: WriteTrx, owner: PreferenceOwner, preferences: readonly Preference[]): void {
  const kinds = preferences.map(({ kind }) => kind)
  const choices = preferences.map(({ isByEmail }) => isByEmail)
  trx.queue(put, { ...owner, kinds, choices })
}
