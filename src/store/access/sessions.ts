import { sql } from 'kysely'
import type { Role } from '../../../registry/values/roles.ts'
import type { MemberId, MerchantId, SessionId, Timestamp, UserId } from '../../../registry/values/vocabulary.ts'
import { bookkeepAtOnce } from '../core/bookkeeping.ts'
import { queueing, running, writingAny } from '../core/calls.ts'
import type { Database, ReadDb, WriteTrx } from '../core/database.ts'
import { isNodeLost, isTransient } from '../core/faults.ts'
import { inserting } from '../core/rows.ts'
import { build, reading, writing } from '../core/statement.ts'
import { countUnread, type Reader } from '../notifications/unread.ts'
import type { SessionStage } from '../tables/values.ts'

export interface SessionRecord {
  readonly id: SessionId
  readonly userId: UserId
  readonly email: string
  readonly userName: string
  readonly stage: SessionStage
  readonly authenticatedAt: Timestamp
  readonly createdAt: Timestamp
  readonly lastSeenAt: Timestamp
  readonly expiresAt: Timestamp
  readonly hasPassword: boolean
  readonly hasTotp: boolean
  readonly hasPasskeys: boolean
  /** The merchant selected in the session. Null when the user is not a member of any merchant. */
  readonly selected: SelectedMerchant | null
  readonly merchants: readonly MemberMerchant[]
  /**
   * Number of unread notifications of the selected merchant in the selected mode. At most 100, which means 100 or more.
   * Null if they could not be counted, such as while the database node of the merchant does not respond.
   */
  readonly unreadNotifications: number | null
}

export interface SelectedMerchant {
  /** The id of the merchant in the selected mode: `liveMerchantId` in live mode, `testMerchantId` in test mode. */
  readonly merchantId: MerchantId
  readonly liveMerchantId: MerchantId
  readonly testMerchantId: MerchantId
  readonly name: string
  readonly mode: 'live' | 'test'
  readonly suspendedAt: Timestamp | null
  readonly memberId: MemberId
  readonly role: Role
}

export interface MemberMerchant {
  readonly liveMerchantId: MerchantId
  readonly testMerchantId: MerchantId
  readonly name: string
  readonly role: Role
}

export const sessionIdleDays = 7

/**
 * Interval in seconds at which the time of a session's last request is stored. The time is only displayed to members,
 * so a precision of a minute is sufficient.
 */
export const touchEverySeconds = 60

export const isActive = (now: Timestamp) => sql<boolean>`
  session.revoked_at is null and session.expires_at > ${now}::timestamptz
  and session.last_seen_at > ${now}::timestamptz - interval '${sql.raw(String(sessionIdleDays))} days'`

/** The merchants of the session's user, oldest membership first, as rows of `membership`. */
const memberships = sql`
  select
    member.id as member_id, member.role, live.id as live_id, test.id as test_id, live.name, live.suspended_at,
    member.created_at
  from members as member
  join merchants as live on live.id = member.merchant_id
  join merchants as test on test.live_merchant_id = live.id
  where member.user_id = session.user_id and member.removed_at is null`

/**
 * If the user is no longer a member of the selected merchant, the merchant of the user's oldest membership is selected.
 */
const find = reading<{ tokenHash: Buffer; now: Timestamp }>()(
  'find_session',
  (p) => sql<SessionRow>`
    select
      session.id, session.user_id, person.display_email as email, person.name as user_name, session.stage,
      session.authenticated_at, session.created_at,
      session.last_seen_at, session.expires_at,
      person.password_hash is not null as has_password, person.totp_sealed is not null as has_totp,
      exists (select from passkeys where user_id = person.id) as has_passkeys,
      selected.member_id, selected.role, selected.live_id as live_merchant_id,
      selected.test_id as test_merchant_id, selected.name as merchant_name, selected.suspended_at,
      coalesce(selected.test_id = session.selected_merchant_id, false) as is_test,
      (
        select coalesce(json_agg(json_build_object(
          'liveMerchantId', live_id, 'testMerchantId', test_id, 'name', name, 'role', role
        ) order by created_at, member_id), '[]')
        from (${memberships}) as membership
      ) as merchants
    from sessions as session
    join users as person on person.id = session.user_id
    left join lateral (
      select * from (${memberships}) as membership
      order by session.selected_merchant_id in (live_id, test_id) desc nulls last, created_at, member_id
      limit 1
    ) as selected on true
    where session.token_hash = ${p.tokenHash} and ${isActive(p.now)}`,
)

interface SessionRow extends Omit<SessionRecord, 'selected' | 'unreadNotifications'> {
  readonly memberId: MemberId | null
  readonly role: Role
  readonly liveMerchantId: MerchantId
  readonly testMerchantId: MerchantId
  readonly merchantName: string
  readonly suspendedAt: Timestamp | null
  readonly isTest: boolean
}

interface SessionKey {
  readonly tokenHash: Buffer
  readonly now: Timestamp
}

/**
 * Returns the session of a token hash with the current role of its member; undefined when the session has ended. A
 * second statement counts the unread notifications, because only a statement with a known merchant runs on the database
 * node of that merchant. `expected` is the merchant and member of the session's previous request. If they are
 * unchanged, both statements share one round trip.
 */
export async function findSession(
  database: Database,
  key: SessionKey,
  expected?: Reader,
): Promise<SessionRecord | undefined> {
  const { row, unread } = await findAndCount(database, key, expected)
  if (row === undefined) return undefined
  const { memberId, role, liveMerchantId, testMerchantId, merchantName, suspendedAt, isTest, ...session } = row
  if (memberId === null) return { ...session, selected: null, unreadNotifications: 0 }
  const mode = isTest ? 'test' : 'live'
  const merchantId = isTest ? testMerchantId : liveMerchantId
  const merchant = { merchantId, liveMerchantId, testMerchantId, name: merchantName, mode, suspendedAt, role } as const
  const isExpected = expected?.merchantId === merchantId && expected.memberId === memberId
  return {
    ...session,
    selected: { ...merchant, memberId },
    unreadNotifications: isExpected ? unread : await tryCount(() => countUnread(database, { merchantId, memberId })),
  }
}

interface FoundSession {
  readonly row: SessionRow | undefined
  /**
   * Number of unread notifications for the merchant and member of the session's previous request. The current request
   * probably has the same merchant and member.
   */
  readonly unread: number | null
}

/**
 * Reads the session. If `expected` contains the merchant and member of the session's previous request, also counts the
 * unread notifications of this member in the same round trip.
 */
async function findAndCount(database: Database, key: SessionKey, expected: Reader | undefined): Promise<FoundSession> {
  if (expected !== undefined && database.reachability.isReachable(expected.merchantId)) {
    const found = await tryCount(() =>
      bookkeepAtOnce(database, async (trx) => {
        const [[row], unread] = await Promise.all([trx.read(find, key), countUnread(trx, expected)])
        return { row, unread }
      }),
    )
    if (found !== null) return found
  }
  const [row] = await database.read(find, key)
  return { row, unread: null }
}

/**
 * Runs `count`, which counts unread notifications. Returns null if the database, or the node of the merchant, does not
 * respond. The page is then shown without the number of unread notifications.
 */
async function tryCount<Result>(count: () => Promise<Result>): Promise<Result | null> {
  try {
    return await count()
  } catch (error) {
    if (isTransient(error) || isNodeLost(error)) return null
    throw error
  }
}

export const insertSession = inserting('sessions')

/** Records a request of a session, at most once a minute. This is bookkeeping, so it has no audit row. */
export const touchSession = running<{ id: SessionId; now: Timestamp; ip: string | null }>()(
  'touch_session',
  (p) => sql`
    update sessions set last_seen_at = ${p.now}::timestamptz, source_ip = ${p.ip}::inet
    where id = ${p.id} and revoked_at is null
      and last_seen_at <= ${p.now}::timestamptz - interval '${sql.raw(String(touchEverySeconds))} seconds'`,
)

export interface ListedSession {
  readonly id: SessionId
  readonly stage: SessionStage
  readonly createdAt: Timestamp
  readonly lastSeenAt: Timestamp
  readonly expiresAt: Timestamp
  readonly sourceIp: string | null
  readonly userAgent: string | null
}

/** Maximum number of sessions in the list. No person uses so many browsers. */
const listedMax = 100

const list = reading<{ userId: UserId; now: Timestamp }>()('list_sessions', (p) =>
  build
    .selectFrom('sessions as session')
    .where('userId', '=', p.userId)
    .where(isActive(p.now))
    .select(['id', 'stage', 'createdAt', 'lastSeenAt', 'expiresAt', 'sourceIp', 'userAgent'])
    .orderBy('lastSeenAt', 'desc')
    .limit(listedMax),
)

/** Returns the active sessions of a user, the most recently used one first. */
export async function listSessions(
  db: ReadDb,
  key: { userId: UserId; now: Timestamp },
): Promise<readonly ListedSession[]> {
  return await db.read(list, key)
}

/**
 * Completes the sign-in of a session: the session gets access and a new token. Returns false when the session has ended
 * or is no longer in the given stage.
 */
export const markSessionComplete = writingAny<{
  id: SessionId
  from: SessionStage
  tokenHash: Buffer
  now: Timestamp
  expiresAt: Timestamp
}>()(
  'complete_session',
  (p) => sql<{ id: SessionId }>`
    update sessions as session
    set stage = 'complete', token_hash = ${p.tokenHash}, expires_at = ${p.expiresAt}::timestamptz,
      authenticated_at = ${p.now}::timestamptz, last_seen_at = ${p.now}::timestamptz
    where session.id = ${p.id} and session.stage = ${p.from} and ${isActive(p.now)}
    returning session.id`,
)

export const markSessionAuthenticated = queueing<{ id: SessionId; now: Timestamp }>()('authenticate_session', (p) =>
  build.updateTable('sessions').set({ authenticatedAt: p.now }).where('id', '=', p.id),
)

/** This is bookkeeping: the selection changes no record of a merchant. */
export const storeSelection = running<{ id: SessionId; merchantId: MerchantId }>()('select_merchant', (p) =>
  build.updateTable('sessions').set({ selectedMerchantId: p.merchantId }).where('id', '=', p.id),
)

const revoke = writing<{ userId: UserId; id: SessionId | null; except: SessionId | null; now: Timestamp }>()(
  'revoke_sessions',
  (p) => sql<{ id: SessionId }>`
    update sessions as session set revoked_at = ${p.now}::timestamptz
    where session.user_id = ${p.userId} and ${isActive(p.now)}
      and (${p.id}::text is null or session.id = ${p.id})
      and session.id is distinct from ${p.except}::text
    returning session.id`,
)

/** Revokes the active sessions of a user: one, all, or all except one. Returns the number of revoked sessions. */
export async function revokeSessions(
  trx: WriteTrx,
  which: { userId: UserId; id?: SessionId; except?: SessionId; now: Timestamp },
): Promise<number> {
  const { userId, id = null, except = null, now } = which
  return (await trx.write(revoke, { userId, id, except, now })).length
}

const revokeStage = writing<{ userId: UserId; stage: SessionStage; now: Timestamp }>()('revoke_stage', (p) =>
  build
    .updateTable('sessions')
    .set({ revokedAt: p.now })
    .where('userId', '=', p.userId)
    .where('stage', '=', p.stage)
    .where('revokedAt', 'is', null),
)

/**
 * Revokes those sessions of a user that a sign-in link started and in which the user has not set a new password yet.
 */
export function revokeSetupSessions(trx: WriteTrx, user: { userId: UserId; now: Timestamp }): void {
  trx.queue(revokeStage, { ...user, stage: 'setup_required' })
}

/**
 * Unselects a merchant, in live and in test mode, in all sessions of a user. The sessions in which the merchant was
 * selected then show another merchant of the user.
 */
export const clearSelection = queueing<{ userId: UserId; merchantId: MerchantId }>()(
  'leave_merchant',
  (p) => sql`
    update sessions set selected_merchant_id = null
    where user_id = ${p.userId} and selected_merchant_id in (
      select id from merchants where id = ${p.merchantId} or live_merchant_id = ${p.merchantId}
    )`,
)
