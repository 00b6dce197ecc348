import { type RawBuilder, sql } from 'kysely'
import type { NotificationKind } from '../../../registry/values/notifications.ts'
import type { Role } from '../../../registry/values/roles.ts'
import type { EndpointId, MemberId, MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { running, runningFirst, searchingAll } from '../core/calls.ts'
import { inTurn, openClaims } from '../core/claims.ts'
import type { Database, SearchDb } from '../core/database.ts'
import { build, searching, writing } from '../core/statement.ts'
import type { NotificationMailStatus } from '../tables/values.ts'

/**
 * E-mails about notifications. A notification is committed without its e-mails. The worker then plans one row for each
 * member who wants an e-mail, claims due rows by the database's clock, and stores the result. A row is unique for its
 * notification and member.
 */

/**
 * The rules that decide which members get e-mails. The entries at one position of `defaultRoles` and `defaultKinds`
 * belong together: by default, members with this role get e-mails about this kind of notification.
 */
export interface MailRules {
  /** The member roles that may read notifications. */
  readonly readers: readonly Role[]
  /** The roles of members who get e-mails about a kind of notification, unless they chose otherwise. */
  readonly defaultRoles: readonly Role[]
  readonly defaultKinds: readonly NotificationKind[]
}

/**
 * Whether a member gets an e-mail about a notification. The member's own choice decides or, if the member made none,
 * the default of the member's role.
 */
const isWanted = (p: MailRules, kind: RawBuilder<unknown>) => sql<boolean>`
  coalesce(preference.by_email, (member.role, ${kind}) in (
    select * from unnest(${p.defaultRoles}::text[], ${p.defaultKinds}::text[])
  ))`

interface NotificationKey {
  readonly merchantId: MerchantId
  readonly id: string
}

const findUnplanned = searchingAll<object>()('find_unplanned_notifications', (_, isReachable) =>
  inTurn<NotificationKey>(
    ['id'],
    sql`
      select merchant_id, id, created_at as due_at
      from notifications
      where ${isReachable('merchantId')} and not is_mail_planned`,
  ),
)

const plan = writing<
  MailRules & { merchantId: MerchantId; ids: readonly string[]; now: Timestamp; isSending: boolean }
>()(
  'plan_notification_mails',
  (p) => sql<{ id: string }>`
    with due as (
      select id, kind
      from notifications
      where merchant_id = ${p.merchantId} and id = any(${p.ids}::text[]) and not is_mail_planned
      for update skip locked
    ), planned as (
      update notifications
      set is_mail_planned = true
      where merchant_id = ${p.merchantId} and id in (select id from due)
      returning id
    ), mails as (
      insert into notification_mails (merchant_id, notification_id, member_id, created_at, next_attempt_at)
      select ${p.merchantId}, due.id, member.id, ${p.now}::timestamptz, ${p.now}::timestamptz
      from due
      -- Members belong to the live merchant, so test mode sends no e-mails.
      join members as member
        on member.merchant_id = ${p.merchantId} and member.removed_at is null
          and member.role = any (${p.readers}::text[])
      left join notification_preferences as preference
        on preference.merchant_id = ${p.merchantId} and preference.member_id = member.id and preference.kind = due.kind
      where ${p.isSending} and ${isWanted(p, sql`due.kind`)}
      on conflict do nothing
    )
    select id from planned`,
)

/**
 * Maximum number of notifications for which one call plans e-mails. Even if each notification has 200 recipients, the
 * statement takes far less than the statement timeout.
 */
const planMax = 50

/**
 * Decides for all new notifications which members get an e-mail. If sending e-mails is not configured, no e-mail is
 * planned, so that old e-mails are not sent when sending is configured later.
 */
export async function planMails(
  database: Database,
  { isSending, now, ...rules }: MailRules & { readonly isSending: boolean; readonly now: () => Timestamp },
): Promise<void> {
  const planDue = openClaims<NotificationKey, NotificationKey['id']>({
    find: () => findUnplanned(database, {}),
    claim: async ({ merchantId, keys, now: plannedAt }) => {
      const ids = keys.map(({ id }) => id)
      const rows = await database.run(plan, { ...rules, merchantId, ids, now: plannedAt, isSending })
      return rows.map(({ id }) => id)
    },
  })
  for (let count = planMax; count > 0; ) count = (await planDue({ now: now(), limit: planMax })).length
}

const isDue = searching<{ now: Timestamp }>()('is_any_notification_mail_due', (p, isReachable) =>
  build.selectNoFrom(
    sql<boolean>`
      exists (select 1 from notifications where ${isReachable('merchantId')} and not is_mail_planned)
      or exists (
        select 1
        from notification_mails
        where ${isReachable('merchantId')} and next_attempt_at <= ${p.now}::timestamptz
      )`.as('isDue'),
  ),
)

/** Reports whether the worker has an e-mail to plan or to send. */
export async function isAnyMailDue(db: SearchDb, now: Timestamp): Promise<boolean> {
  return (await db.search(isDue, { now }))[0]?.isDue === true
}

export interface MailKey {
  readonly merchantId: MerchantId
  readonly notificationId: string
  readonly memberId: MemberId
}

export interface ClaimedMail extends MailKey {
  /** The number of this attempt to send the e-mail, from 1. The attempt's result is stored under this number. */
  readonly attempts: number
  readonly kind: string
  readonly endpointId: EndpointId | null
  readonly data: unknown
  readonly createdAt: Timestamp
  readonly merchantName: string
  readonly memberName: string
  readonly email: string
  /** The newest signed head (last hash) of the audit log. Null if there is none yet. */
  readonly auditHead: string | null
  /** Whether the member is still active, may read notifications and wants this e-mail. */
  readonly isWanted: boolean
}

/**
 * Duration of a worker's claim of an e-mail, in seconds: four times the time limit for sending it. The worker's attempt
 * to send the e-mail has therefore certainly ended when the claim expires.
 */
const leaseSeconds = 120

const findDue = searchingAll<{ now: Timestamp }>()('find_due_notification_mails', (p, isReachable) =>
  inTurn<MailKey>(
    ['notification_id', 'member_id'],
    sql`
      select merchant_id, notification_id, member_id, next_attempt_at as due_at
      from notification_mails
      where ${isReachable('merchantId')} and next_attempt_at <= ${p.now}::timestamptz`,
  ),
)

const claim = runningFirst<MailRules & MailKey & { now: Timestamp }>()(
  'claim_notification_mail',
  (p) => sql<ClaimedMail>`
    with due as (
      select notification_id, member_id
      from notification_mails
      where merchant_id = ${p.merchantId}
        and notification_id = ${p.notificationId}
        and member_id = ${p.memberId}
        and next_attempt_at <= ${p.now}::timestamptz
      for update skip locked
    )
    update notification_mails as mail
    set
      next_attempt_at = ${p.now}::timestamptz + make_interval(secs => ${sql.lit(leaseSeconds)}),
      attempts = mail.attempts + 1
    from due
    join notifications as notification
      on notification.merchant_id = ${p.merchantId} and notification.id = due.notification_id
    join merchants as merchant on merchant.id = ${p.merchantId}
    join members as member on member.merchant_id = ${p.merchantId} and member.id = due.member_id
    join users as person on person.id = member.user_id
    left join notification_preferences as preference
      on preference.merchant_id = ${p.merchantId} and preference.member_id = member.id
        and preference.kind = notification.kind
    where mail.merchant_id = ${p.merchantId}
      and mail.notification_id = due.notification_id
      and mail.member_id = due.member_id
    returning
      mail.merchant_id, mail.notification_id, mail.member_id,
      mail.attempts, notification.kind, notification.endpoint_id, notification.data,
      notification.created_at, merchant.name as merchant_name, person.name as member_name,
      person.display_email as email,
      (
        select head.number::text || ':' || encode(head.hash, 'hex')
        from audit_heads as head
        where head.merchant_id = ${p.merchantId}
        order by head.number desc
        limit 1
      ) as audit_head,
      member.removed_at is null and member.role = any (${p.readers}::text[])
        and ${isWanted(p, sql`notification.kind`)} as is_wanted`,
)

/**
 * Returns a function that claims due e-mails. It claims the e-mails of one merchant after another. When a claim has
 * expired, another worker may claim the e-mail again.
 */
export function openMailClaims(database: Database, rules: MailRules) {
  return openClaims<MailKey, ClaimedMail>({
    find: (now) => findDue(database, { now }),
    claim: async ({ keys, now }) => {
      const claimed = await Promise.all(keys.map((key) => claim(database, { ...rules, ...key, now })))
      return claimed.flatMap((mail) => mail ?? [])
    },
  })
}

export interface MailResult extends MailKey {
  readonly attempts: number
  readonly status: NotificationMailStatus
  /** When the next attempt to send the e-mail is due. Null unless the e-mail is pending. */
  readonly nextAttemptAt: Timestamp | null
  readonly error: string | null
  readonly now: Timestamp
}

/**
 * Stores the result of an attempt to send an e-mail. Ignores the result if the e-mail was claimed again in the
 * meantime.
 */
export const recordMail = running<MailResult>()(
  'record_notification_mail',
  (p) => sql`
    update notification_mails
    set
      status = ${p.status},
      next_attempt_at = ${p.nextAttemptAt}::timestamptz,
      completed_at = case when ${p.status} = 'pending' then null else ${p.now}::timestamptz end,
      last_error = ${p.error}
    where merchant_id = ${p.merchantId} and notification_id = ${p.notificationId} and member_id = ${p.memberId}
      and attempts = ${p.attempts} and status = 'pending'`,
)
