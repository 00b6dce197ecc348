import { sql } from 'kysely'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { listing, queueing, running } from '../core/calls.ts'
import type { Database, LockTrx, WriteTrx } from '../core/database.ts'
import { build, locking, writing } from '../core/statement.ts'

/**
 * The encryption keys that stored secrets need, and the processes that have them. The database stores only fingerprints
 * of the keys.
 */

export interface UsedKey {
  /** The fingerprint of the encryption key. */
  readonly id: string
  readonly usedSince: Timestamp
}

export interface KeyHolder {
  readonly label: string
  /** Fingerprints of the encryption keys that the process has. The process encrypts with the first key. */
  readonly keyIds: readonly string[]
}

const lock = locking<object>()(
  'lock_encryption_keys',
  () => sql<object>`select from pg_advisory_xact_lock(hashtext('encryption_keys'))`,
)

/** Takes the lock on the set of encryption keys in use. Waits until no other process changes the set. */
export async function lockKeys(trx: LockTrx): Promise<void> {
  await trx.lock(lock, {})
}

/** Returns the encryption keys that stored secrets need, the oldest first. */
export const listUsedKeys = listing<object>()('list_encryption_keys', () =>
  build
    .selectFrom('encryption_keys')
    .where('retiredAt', 'is', null)
    .select(['id', sql<Timestamp>`used_since`.as('usedSince')])
    .orderBy('usedSince'),
)

/**
 * A process renews its row every five seconds. A process that has missed six renewals is treated as ended: it has
 * exited, or it is frozen and gets no requests.
 */
const seenWithin = sql`interval '30 seconds'`

export const listKeyHolders = listing<object>()(
  'list_encryption_key_holders',
  () => sql<KeyHolder>`
    select label, key_ids
    from encryption_key_holders
    where seen_at > clock_timestamp() - ${seenWithin}
    order by label, process_id`,
)

export interface HolderRow extends KeyHolder {
  readonly processId: string
}

const put = writing<HolderRow>()(
  'put_encryption_key_holder',
  (p) => sql`
    insert into encryption_key_holders as held (process_id, label, key_ids, seen_at)
    values (${p.processId}, ${p.label}, ${p.keyIds}::text[], clock_timestamp())
    on conflict (process_id) do update set key_ids = excluded.key_ids, seen_at = excluded.seen_at`,
)

/** Records that a process is running, and which encryption keys it has. */
export function putHolder(trx: WriteTrx, holder: HolderRow): void {
  trx.queue(put, holder)
}

/** Records that a process still runs, and returns the encryption keys that stored secrets need. */
export async function renewHolder(database: Database, holder: HolderRow): Promise<readonly UsedKey[]> {
  await database.run(put, holder)
  return listUsedKeys(database, {})
}

/**
 * Deletes the record of a process that has ended. Also deletes the records of processes that were last seen more than a
 * day ago.
 */
export const deleteHolder = running<{ processId: string }>()(
  'delete_encryption_key_holder',
  (p) => sql`
    delete from encryption_key_holders
    where process_id = ${p.processId} or seen_at < clock_timestamp() - interval '1 day'`,
)

/** Records that stored secrets are encrypted with the given keys from now on. */
export const useKeys = queueing<{ ids: readonly string[] }>()(
  'use_encryption_keys',
  (p) => sql`
    insert into encryption_keys as key (id, used_since)
    select id, clock_timestamp() from unnest(${p.ids}::text[]) as used (id)
    on conflict (id) do update set used_since = excluded.used_since, retired_at = null where key.retired_at is not null`,
)

const retire = writing<{ ids: readonly string[] }>()(
  'retire_encryption_keys',
  (p) => sql<{ id: string }>`
    update encryption_keys set retired_at = clock_timestamp()
    where id = any(${p.ids}::text[]) and retired_at is null
    returning id`,
)

/** Records that no stored secret needs the given keys any more. Returns the given keys that were in use until now. */
export async function retireKeys(trx: WriteTrx, ids: readonly string[]): Promise<readonly string[]> {
  return (await trx.write(retire, { ids })).map(({ id }) => id)
}
