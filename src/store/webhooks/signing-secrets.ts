import { type RawBuilder, sql } from 'kysely'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { listing, queueing } from '../core/calls.ts'
import type { Database, ReadDb } from '../core/database.ts'
import { deletingExpired } from '../core/expired-rows.ts'
import { retryConflicts } from '../core/retry-conflicts.ts'
import { inserting } from '../core/rows.ts'
import { build, type MerchantCondition, reading, writing } from '../core/statement.ts'
import type { EndpointKey } from './endpoints.ts'

/**
 * The signing secrets of endpoints. New secrets are always encrypted ("sealed").
 *
 *   current ──rotate──> valid until it expires ──hourly job, or the next rotation──> deleted
 */

/** A signing secret as stored: either `sealed`, in hex, or `secret`, in plain text. */
export interface StoredSecret {
  readonly id: string
  readonly sealed: string | null
  /**
   * A signing secret that an earlier version stored as plain text. A process with an encryption key encrypts it at its
   * start.
   */
  readonly secret: string | null
}

/**
 * Selects the valid signing secrets of each endpoint in the relation `endpoint` as one JSON value, the current secret
 * first. Only secrets of the merchants that meet the condition are read.
 */
export function liveSecrets(isIncluded: MerchantCondition, now: Timestamp): RawBuilder<readonly StoredSecret[]> {
  return sql`(
        select coalesce(
          json_agg(
            json_build_object('id', stored.id, 'sealed', encode(stored.sealed, 'hex'), 'secret', stored.secret)
            order by stored.expires_at desc nulls first
          ),
          '[]'
        )
        from webhook_secrets stored
        where ${isIncluded('stored.merchantId')}
          and stored.merchant_id = endpoint.merchant_id
          and stored.endpoint_id = endpoint.id
          and (stored.expires_at is null or stored.expires_at > ${now}::timestamptz)
      )`
}

/** Deletes expired secrets, so that they do not remain in backups. */
export const expiredSecretDeletion = deletingExpired<{ now: Timestamp }>()({
  label: 'delete_expired_secrets',
  table: 'webhook_secrets',
  key: ['endpointId', 'id'],
  age: 'expires_at',
  hasEnded: (p) => sql`expires_at <= ${p.now}::timestamptz`,
  size: 5000,
})

export interface OwnedSecret extends EndpointKey, StoredSecret {}

interface Page {
  /** The prefix of signing secrets that are encrypted with the current key. */
  readonly mark: Buffer
  readonly afterMerchant: string
  readonly afterEndpoint: string
  readonly afterId: string
  readonly limit: number
}

/**
 * Selects signing secrets that are not encrypted with the current key, in the order of the primary key. Each page
 * starts after the previous one, so secrets that cannot be decrypted, and therefore stay in this list, are read only
 * once.
 */
const listStale = reading<Page>()('list_stale_secrets', (p) =>
  build
    .selectFrom('webhook_secrets')
    .where(sql<boolean>`(sealed is null or substr(sealed, 1, length(${p.mark}::bytea)) <> ${p.mark}::bytea)`)
    .where(
      sql<boolean>`(merchant_id, endpoint_id, id) > (${p.afterMerchant}::text, ${p.afterEndpoint}::text, ${p.afterId}::text)`,
    )
    .select(['merchantId', 'endpointId', 'id', sql<string | null>`encode(sealed, 'hex')`.as('sealed'), 'secret'])
    .orderBy('merchantId')
    .orderBy('endpointId')
    .orderBy('id')
    .limit(p.limit),
)

const exist = reading<object>()('any_signing_secret', () => build.selectFrom('webhook_secrets').select('id').limit(1))

interface Resealing {
  readonly merchantId: string
  readonly endpointIds: readonly string[]
  readonly ids: readonly string[]
  readonly before: readonly (string | null)[]
  readonly after: readonly string[]
}

/**
 * Updates only secrets that are unchanged since they were read: meanwhile, another process may have encrypted a secret.
 */
const reseal = writing<Resealing>()(
  'reseal_secrets',
  (p) => sql<{ id: string }>`
    update webhook_secrets stored
    set sealed = decode(resealed.after, 'hex'), secret = null
    from unnest(${p.endpointIds}::text[], ${p.ids}::text[], ${p.before}::text[], ${p.after}::text[])
      as resealed (endpoint_id, id, before, after)
    where stored.merchant_id = ${p.merchantId}
      and stored.endpoint_id = resealed.endpoint_id
      and stored.id = resealed.id
      and encode(stored.sealed, 'hex') is not distinct from resealed.before
    returning stored.id`,
)

export const insertSecret = inserting('webhook_secrets')

/** Returns the signing secrets of an endpoint, the current one first. The result may include expired secrets. */
export const listSecrets = listing<EndpointKey>()('list_signing_secrets', (p) =>
  build
    .selectFrom('webhook_secrets')
    .where('merchantId', '=', p.merchantId)
    .where('endpointId', '=', p.endpointId)
    .select(['id', sql<string | null>`encode(sealed, 'hex')`.as('sealed'), 'secret', 'createdAt', 'expiresAt'])
    .orderBy(sql`expires_at desc nulls first`),
)

export const expireSecret = queueing<EndpointKey & { secretId: string; expiresAt: Timestamp }>()(
  'expire_signing_secret',
  (p) =>
    build
      .updateTable('webhook_secrets')
      .set({ expiresAt: p.expiresAt })
      .where('merchantId', '=', p.merchantId)
      .where('endpointId', '=', p.endpointId)
      .where('id', '=', p.secretId),
)

export const deleteSecrets = queueing<EndpointKey & { ids: readonly string[] }>()(
  'delete_signing_secrets',
  (p) => sql`
    delete from webhook_secrets
    where merchant_id = ${p.merchantId} and endpoint_id = ${p.endpointId} and id = any(${p.ids}::text[])`,
)

export async function hasSecrets(db: ReadDb): Promise<boolean> {
  return (await db.read(exist, {})).length > 0
}

/** Returns a page of the signing secrets that are stored in plain text or encrypted with another key. */
export function listStaleSecrets(
  db: ReadDb,
  { mark, after, limit }: { mark: Buffer; after: OwnedSecret | undefined; limit: number },
): Promise<readonly OwnedSecret[]> {
  const { merchantId = '', endpointId = '', id = '' } = after ?? {}
  return db.read(listStale, { mark, afterMerchant: merchantId, afterEndpoint: endpointId, afterId: id, limit })
}

/**
 * Encrypts signing secrets with the current key, with one statement for each merchant. Returns the number of updated
 * secrets. A secret that has changed since it was read is not updated.
 */
export async function resealSecrets(
  database: Database,
  secrets: readonly { before: OwnedSecret; sealed: Buffer }[],
): Promise<number> {
  let updated = 0
  for (const [merchantId, owned] of Map.groupBy(secrets, ({ before }) => before.merchantId)) {
    const args: Resealing = {
      merchantId,
      endpointIds: owned.map(({ before }) => before.endpointId),
      ids: owned.map(({ before }) => before.id),
      before: owned.map(({ before }) => before.sealed),
      after: owned.map(({ sealed }) => sealed.toString('hex')),
    }
    updated += (await retryConflicts(() => database.run(reseal, args))).length
  }
  return updated
}
