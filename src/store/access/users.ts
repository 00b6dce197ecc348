import { sql } from 'kysely'
import type { Timestamp, UserId } from '../../../registry/values/vocabulary.ts'
import { finding, queueing, writingAny } from '../core/calls.ts'
import type { LockTrx, ReadDb } from '../core/database.ts'
import { inserting } from '../core/rows.ts'
import { build, locking, reading } from '../core/statement.ts'

/** The credentials of a user, whose row is locked until the transaction ends. */
export interface LockedUser {
  readonly id: UserId
  readonly email: string
  readonly displayEmail: string
  readonly name: string
  readonly passwordHash: string | null
  readonly totpSealed: Buffer | null
  readonly totpPendingSealed: Buffer | null
  /** Number of unused backup codes. */
  readonly backupCodes: number
}

/** Fails with a unique violation when the e-mail address is taken. */
export const insertUser = inserting('users')

/** Returns the data for the verification of a password, and whether the user has signed in with this device before. */
export const findUserToSignIn = finding<{ email: string; deviceHash: Buffer | null }>()('find_user_to_sign_in', (p) =>
  build
    .selectFrom('users')
    .where('email', '=', p.email)
    .select([
      'id',
      'passwordHash',
      sql<boolean>`exists (
        select from known_devices where token_hash = ${p.deviceHash}::bytea and user_id = users.id
      )`.as('knowsDevice'),
    ]),
)

/** Returns the user with an e-mail address, which must be in lower case. */
export const findUserByEmail = finding<{ email: string }>()('find_user_id', (p) =>
  build.selectFrom('users').where('email', '=', p.email).select(['id', 'passwordHash']),
)

const unusedCodes = sql<number>`cardinality(backup_code_hashes)`.as('backupCodes')

// The lock on a user's row is not `for update`, because that would block inserts of rows that refer to the user.
const lock = locking<{ id: UserId }>()('lock_user', (p) =>
  build
    .selectFrom('users')
    .where('id', '=', p.id)
    .select(['id', 'email', 'displayEmail', 'name', 'passwordHash', 'totpSealed', 'totpPendingSealed'])
    .select(unusedCodes)
    .forNoKeyUpdate(),
)

/** Locks a user, so that changes of one user's credentials and memberships run one after another. */
export async function lockUser(trx: LockTrx, id: UserId): Promise<LockedUser> {
  const [user] = await trx.lock(lock, { id })
  if (user === undefined) throw new Error(`User ${id} does not exist.`)
  return user
}

export const setPasswordHash = queueing<{ id: UserId; passwordHash: string; now: Timestamp }>()('set_password', (p) =>
  build.updateTable('users').set({ passwordHash: p.passwordHash, updatedAt: p.now }).where('id', '=', p.id),
)

/** Stores a TOTP secret. It has no effect until the user confirms it. */
export const setPendingTotp = queueing<{ id: UserId; sealed: Buffer; now: Timestamp }>()('set_pending_totp', (p) =>
  build.updateTable('users').set({ totpPendingSealed: p.sealed, updatedAt: p.now }).where('id', '=', p.id),
)

/** The time step of the confirming code is stored, so that the code cannot be used again. */
export const enableTotp = queueing<{ id: UserId; step: number; now: Timestamp }>()(
  'confirm_totp',
  (p) => sql`
    update users
    set totp_sealed = totp_pending_sealed, totp_pending_sealed = null, totp_last_step = ${p.step}::bigint,
      updated_at = ${p.now}::timestamptz
    where id = ${p.id}`,
)

export const clearTotp = queueing<{ id: UserId; now: Timestamp }>()('clear_totp', (p) =>
  build
    .updateTable('users')
    .set({ totpSealed: null, totpPendingSealed: null, totpLastStep: null, updatedAt: p.now })
    .set({ backupCodeHashes: sql`'{}'` })
    .where('id', '=', p.id),
)

export const setBackupCodes = queueing<{ id: UserId; hashes: readonly Buffer[]; now: Timestamp }>()(
  'set_backup_codes',
  (p) => sql`
    update users set backup_code_hashes = ${p.hashes}::bytea[], updated_at = ${p.now}::timestamptz
    where id = ${p.id}`,
)

/** Returns false when the user has no unused backup code with this hash. */
export const takeBackupCode = writingAny<{ id: UserId; hash: Buffer; now: Timestamp }>()(
  'use_backup_code',
  (p) => sql<{ id: UserId }>`
    update users
    set backup_code_hashes = array_remove(backup_code_hashes, ${p.hash}::bytea), updated_at = ${p.now}::timestamptz
    where id = ${p.id} and ${p.hash}::bytea = any(backup_code_hashes)
    returning id`,
)

const countCodes = reading<{ id: UserId }>()('count_backup_codes', (p) =>
  build.selectFrom('users').where('id', '=', p.id).select(unusedCodes),
)

export async function countBackupCodes(db: ReadDb, id: UserId): Promise<number> {
  return (await db.read(countCodes, { id }))[0]?.backupCodes ?? 0
}

/** Returns false when the TOTP code of this time step or of a later one was used before. */
export const takeTotpStep = writingAny<{ id: UserId; step: number }>()(
  'use_totp_step',
  (p) => sql<{ id: UserId }>`
    update users set totp_last_step = ${p.step}::bigint
    where id = ${p.id} and coalesce(totp_last_step, -1) < ${p.step}::bigint
    returning id`,
)

const findHash = reading<{ id: UserId }>()('find_password_hash', (p) =>
  build.selectFrom('users').where('id', '=', p.id).select('passwordHash'),
)

export async function findPasswordHash(db: ReadDb, id: UserId): Promise<string | null> {
  return (await db.read(findHash, { id }))[0]?.passwordHash ?? null
}
