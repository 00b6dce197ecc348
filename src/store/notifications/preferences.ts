import { sql } from 'kysely'
import type { NotificationKind } from '../../../registry/values/notifications.ts'
import type { MemberId, MerchantId } from '../../../registry/values/vocabulary.ts'
import type { ReadDb, WriteTrx } from '../core/database.ts'
import { build, reading, writing } from '../core/statement.ts'

/** A member of a live merchant. */
export interface PreferenceOwner {
  readonly merchantId: MerchantId
  readonly memberId: MemberId
}

export interface Preference {
  readonly kind: NotificationKind
  readonly isByEmail: boolean
}

const list = reading<PreferenceOwner>()('list_notification_preferences', (p) =>
  build
    .selectFrom('notification_preferences')
    .where('merchant_id', '=', p.merchantId)
    .where('member_id', '=', p.memberId)
    .select(['kind', 'by_email as isByEmail']),
)

/** Returns the e-mail preferences of a member. A kind that is not in the result has its default. */
export function listPreferences(db: ReadDb, owner: PreferenceOwner): Promise<readonly Preference[]> {
  return db.read(list, owner)
}

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
