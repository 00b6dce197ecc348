import { sql } from 'kysely'
import type { SessionId, Timestamp, UserId } from '../../../registry/values/vocabulary.ts'
import { finding, listing, runningAny, writingAny } from '../core/calls.ts'
import type { Database, WriteTrx } from '../core/database.ts'
import { build, writing } from '../core/statement.ts'

export interface NewPasskey {
  /** The id of the credential in base64url. */
  readonly credentialId: string
  readonly userId: UserId
  readonly publicKey: Buffer
  readonly counter: number
  readonly transports: string[]
  readonly name: string
  readonly now: Timestamp
}

/** Returns false when the credential of the passkey is already registered. */
export const insertPasskey = writingAny<NewPasskey>()(
  'insert_passkey',
  (p) => sql<{ credentialId: string }>`
    insert into passkeys (credential_id, user_id, public_key, counter, transports, name, created_at)
    values (
      ${p.credentialId}, ${p.userId}, ${p.publicKey}, ${p.counter}::bigint, ${p.transports}::text[], ${p.name},
      ${p.now}::timestamptz
    )
    on conflict do nothing
    returning credential_id`,
)

export const findPasskey = finding<{ credentialId: string }>()('find_passkey', (p) =>
  build
    .selectFrom('passkeys')
    .where('credentialId', '=', p.credentialId)
    .select(['userId', 'publicKey', 'counter', 'transports']),
)

export const listPasskeys = listing<{ userId: UserId }>()('list_passkeys', (p) =>
  build
    .selectFrom('passkeys')
    .where('userId', '=', p.userId)
    .select(['credentialId', 'name', 'transports', 'createdAt', 'lastUsedAt'])
    .orderBy('createdAt'),
)

/**
 * Returns false when the passkey was removed, or when its counter did not increase, as with a cloned authenticator.
 * Most passkeys always report the counter 0.
 */
export const markPasskeyUsed = writingAny<{ credentialId: string; counter: number; now: Timestamp }>()(
  'use_passkey',
  (p) => sql<{ credentialId: string }>`
    update passkeys set counter = ${p.counter}::bigint, last_used_at = ${p.now}::timestamptz
    where credential_id = ${p.credentialId} and (counter < ${p.counter}::bigint or ${p.counter}::bigint = 0 and counter = 0)
    returning credential_id`,
)

const remove = writing<{ userId: UserId; credentialId: string | null }>()(
  'delete_passkeys',
  (p) => sql<{ name: string }>`
    delete from passkeys
    where user_id = ${p.userId} and credential_id = coalesce(${p.credentialId}::text, credential_id)
    returning name`,
)

/** Returns false when the user has no passkey with this id. */
export async function deletePasskey(trx: WriteTrx, key: { userId: UserId; credentialId: string }): Promise<boolean> {
  return (await trx.write(remove, key)).length > 0
}

export function deletePasskeys(trx: WriteTrx, userId: UserId): void {
  trx.queue(remove, { userId, credentialId: null })
}

/**
 * A new passkey challenge. For a registration, it belongs to the session that registers the passkey. For a sign-in, it
 * belongs to the source network.
 */
export interface NewChallenge {
  readonly tokenHash: Buffer
  readonly challenge: string
  readonly sessionId: SessionId | null
  readonly network: string | null
  readonly now: Timestamp
  readonly expiresAt: Timestamp
  /** Maximum number of unanswered passkey challenges per session or source network. */
  readonly max: number
}

/**
 * Returns false when too many challenges are unanswered. Concurrent calls may exceed the maximum, at most by the number
 * of these calls.
 */
export const storeChallenge = runningAny<NewChallenge>()(
  'insert_passkey_challenge',
  (p) => sql<{ challenge: string }>`
    insert into passkey_challenges (token_hash, challenge, session_id, network, expires_at)
    select
      ${p.tokenHash}::bytea, ${p.challenge}::text, ${p.sessionId}::text, ${p.network}::text, ${p.expiresAt}::timestamptz
    where (
      select count(*) from passkey_challenges
      where (session_id = ${p.sessionId}::text or network = ${p.network}::text) and expires_at > ${p.now}::timestamptz
    ) < ${p.max}::integer
    returning challenge`,
)

const takeChallenge = writing<{ tokenHash: Buffer; sessionId: SessionId | null; now: Timestamp }>()(
  'take_passkey_challenge',
  (p) => sql<{ challenge: string }>`
    delete from passkey_challenges
    where token_hash = ${p.tokenHash} and session_id is not distinct from ${p.sessionId}::text
      and expires_at > ${p.now}::timestamptz
    returning challenge`,
)

/**
 * Deletes and returns a passkey challenge, so that it can be answered only once. Undefined when it was already answered
 * or has expired.
 */
export async function takePasskeyChallenge(
  database: Database,
  key: { tokenHash: Buffer; sessionId: SessionId | null; now: Timestamp },
): Promise<string | undefined> {
  return (await database.run(takeChallenge, key))[0]?.challenge
}
