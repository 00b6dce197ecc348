import { sql } from 'kysely'
import type { UserId } from '../../../registry/values/vocabulary.ts'
import type { Database, ReadDb } from '../core/database.ts'
import { retryConflicts } from '../core/retry-conflicts.ts'
import { build, reading, writing } from '../core/statement.ts'

/** A TOTP secret with its user, which is encrypted again after a rotation of the encryption key. */
export interface OwnedTotp {
  readonly userId: UserId
  readonly sealed: Buffer
}

const exist = reading<object>()('any_totp_secret', () =>
  build.selectFrom('users').where('totpSealed', 'is not', null).select('id').limit(1),
)

export async function hasTotpSecrets(db: ReadDb): Promise<boolean> {
  return (await db.read(exist, {})).length > 0
}

const listStale = reading<{ mark: Buffer; after: string; limit: number }>()(
  'list_stale_totp_secrets',
  (p) => sql<OwnedTotp>`
    select id as user_id, totp_sealed as sealed
    from users
    where totp_sealed is not null and substring(totp_sealed for octet_length(${p.mark}::bytea)) <> ${p.mark}::bytea
      and id > ${p.after}::text
    order by id
    limit ${p.limit}::integer`,
)

/**
 * Returns a page of the TOTP secrets that are not encrypted with the current key. Unconfirmed secrets are not included,
 * because they are used within minutes.
 */
export function listStaleTotp(
  db: ReadDb,
  { mark, after, limit }: { mark: Buffer; after: OwnedTotp | undefined; limit: number },
): Promise<readonly OwnedTotp[]> {
  return db.read(listStale, { mark, after: after?.userId ?? '', limit })
}

const reseal = writing<{ userIds: readonly string[]; before: readonly string[]; after: readonly string[] }>()(
  'reseal_totp_secrets',
  (p) => sql<{ id: UserId }>`
    update users set totp_sealed = decode(resealed.after, 'hex')
    from unnest(${p.userIds}::text[], ${p.before}::text[], ${p.after}::text[]) as resealed (id, before, after)
    where users.id = resealed.id and users.totp_sealed = decode(resealed.before, 'hex')
    returning users.id`,
)

/**
 * Stores TOTP secrets that were encrypted again. Returns the number of secrets that had not changed since they were
 * read.
 */
export async function resealTotp(
  database: Database,
  secrets: readonly { before: OwnedTotp; sealed: Buffer }[],
): Promise<number> {
  const rows = await retryConflicts(() =>
    database.run(reseal, {
      userIds: secrets.map(({ before }) => before.userId),
      before: secrets.map(({ before }) => before.sealed.toString('hex')),
      after: secrets.map(({ sealed }) => sealed.toString('hex')),
    }),
  )
  return rows.length
}
