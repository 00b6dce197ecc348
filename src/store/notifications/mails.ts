import { type RawBuilder, sql } from 'kysely'
import type { NotificationKind } from '../../../registry/values/notifications.ts'
import type { Role } from '../../../registry/values/roles.ts'
import type { EndpointId, MemberId, MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { running, runningFirst } from '../core/calls.ts'
import type { Database, ReadDb } from '../core/database.ts'
import { build, reading, writing } from '../core/statement.ts'
import type { NotificationMailStatus } from '../tables/values.ts'

/**
 * E-mails about notifications. A notification is committed without them. The worker then plans one row for each member
 * who wants an e-mail, claims due rows by the database's clock, and stores the result. A row is unique for its
 * notification and member.
 */

/** Which members get e-mails. The two lists of defaults have the same length: each position is one role and one kind. */
export interface MailRules {
  /** The member roles that may read notifications. */
  readonly readers: readonly Role[]
  /** The roles of members who get e-mails about a kind of notification, unless they chose otherwise. */
  readonly defaultRoles: readonly Role[]
  readonly defaultKinds: readonly NotificationKind[]
}

/** Whether a member gets an e-mail about a notification: by the member's choice, or else by the default of the role. */
const isWanted = (p: MailRules, kind: RawBuilder<unknown>) => sql<boolean>`
  coalesce(preference.by_email, (member.role, ${kind}) in (
    select * from unnest(${p.defaultRoles}::text[], ${p.defaultKinds}::text[])
  ))`

/**
 * Maximum number of notifications per statement. With 200 members each, it takes far less than the statement timeout.
 */
const planMax = 50

const plan = writing<MailRules & { now: Timestamp; isSending: boolean }>()(
  'plan_notification_mails',
  (p) => sql<{ planned: number }>`
    with due as (
      select merchant_id, id, kind
      from notifications
      where not is_mail_planned
      order by created_at
      limit ${sql.lit(planMax)}
      for update skip locked
    ), planned as (
      update notifications as notification
      set is_mail_planned = true
      from due
      where notification.merchant_id = due.merchant_id and notification.id = due.id
      returning notification.id
    ), mails as (
      insert into notification_mails (merchant_id, notification_id, member_id, created_at, next_attempt_at)
      select due.merchant_id, due.id, member.id, ${p.now}::timestamptz, ${p.now}::timestamptz
      from due
      -- Members belong to the live merchant, so test mode sends no e-mails.
      join members as member
        on member.merchant_id = due.merchant_id and member.removed_at is null and member.role = any (${p.readers}::text[])
      left join notification_preferences as preference
        on preference.merchant_id = member.merchant_id and preference.member_id = member.id and preference.kind = due.kind
      where ${p.isSending} and ${isWanted(p, sql`due.kind`)}
      on conflict do nothing
    )
    select count(*)::integer as planned from planned`,
)

/**
 * Decides for new notifications which members get an e-mail. If sending e-mails is not configured, none is planned, so
 * that a later configuration does not send old ones. Returns whether there may be more notifications to plan.
 */
export async function planMails(
  database: Database,
  request: MailRules & { readonly now: Timestamp; readonly isSending: boolean },
): Promise<{ readonly hasMore: boolean }> {
  const [row] = await database.run(plan, request)
  return { hasMore: row?.planned === planMax }
}

const isDue = reading<{ now: Timestamp }>()('is_any_notification_mail_due', (p) =>
  build.selectNoFrom(
    sql<boolean>`
      exists (select from notifications where not is_mail_planned)
      or exists (select from notification_mails where next_attempt_at <= ${p.now}::timestamptz)`.as('isDue'),
  ),
)

/** Reports whether the worker has an e-mail to plan or to send. */
export async function isAnyMailDue(db: ReadDb, now: Timestamp): Promise<boolean> {
  return (await db.read(isDue, { now }))[0]?.isDue === true
}

export interface MailKey {
  readonly merchantId: MerchantId
  readonly notificationId: string
  readonly memberId: MemberId
}

/** A claimed e-mail with all data that its text contains. */
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
 * Duration of a worker's claim of an e-mail, in seconds: four times the deadline of a send. When it expires, the worker
 * that claimed the e-mail must have ended.
 */
const leaseSeconds = 120

/**
 * Claims the e-mail that has been due for the longest time. Another worker may claim it again after the claim expires.
 */
export const claimMail = runningFirst<MailRules & { now: Timestamp }>()(
  'claim_notification_mail',
  (p) => sql<ClaimedMail>`
    with due as (
      select merchant_id, notification_id, member_id
      from notification_mails
      where next_attempt_at <= ${p.now}::timestamptz
      order by next_attempt_at
      limit 1
      for update skip locked
    )
    update notification_mails as mail
    set
      next_attempt_at = ${p.now}::timestamptz + make_interval(secs => ${sql.lit(leaseSeconds)}),
      attempts = mail.attempts + 1
    from due
    join notifications as notification
      on notification.merchant_id = due.merchant_id and notification.id = due.notification_id
    join merchants as merchant on merchant.id = due.merchant_id
    join members as member on member.merchant_id = due.merchant_id and member.id = due.member_id
    join users as person on person.id = member.user_id
    left join notification_preferences as preference
      on preference.merchant_id = member.merchant_id and preference.member_id = member.id
        and preference.kind = notification.kind
    where mail.merchant_id = due.merchant_id
      and mail.notification_id = due.notification_id
      and mail.member_id = due.member_id
    returning
      mail.merchant_id, mail.notification_id, mail.member_id,
      mail.attempts, notification.kind, notification.endpoint_id, notification.data,
      notification.created_at, merchant.name as merchant_name, person.name as member_name,
      person.display_email as email,
      (
        select head.number || ':' || encode(head.hash, 'hex')
        from audit_heads as head
        where head.merchant_id = mail.merchant_id
        order by head.number desc
        limit 1
      ) as audit_head,
      member.removed_at is null and member.role = any (${p.readers}::text[])
        and ${isWanted(p, sql`notification.kind`)} as is_wanted`,
)

export interface MailResult extends MailKey {
  readonly attempts: number
  readonly status: NotificationMailStatus
  /** When the next attempt to send the e-mail is due. Null unless the e-mail is pending. */
  readonly nextAttemptAt: Timestamp | null
  readonly error: string | null
  readonly now: Timestamp
}

/** Stores the result of an attempt to send an e-mail. Ignores it if the e-mail was claimed again since. */
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
