import { type RawBuilder, sql } from 'kysely'
import type { MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { Database, ReadDb, WriteTrx } from '../core/database.ts'
import { retryConflicts } from '../core/retry-conflicts.ts'
import { build, reading, writing } from '../core/statement.ts'
import type { EndpointKey } from './endpoints.ts'

/**
 * What endpoints' deliveries are signed with. Only sealed secrets are written here.
 *
 *   current ──rotate──> valid until it expires ──hourly, or the next rotation──> deleted
 */

/** A secret as it is kept, its bytes in hex because that is how JSON carries them. One of the two forms is set. */
export interface StoredSecret {
  readonly id: string
  readonly sealed: string | null
  /** Left by an earlier version; it is sealed when a process with an encryption key starts. */
  readonly secret: string | null
}

/** The secrets an endpoint's delivery is signed with at a moment, as one JSON value: the current one first. */
export function liveSecrets(
  merchantId: RawBuilder<unknown> | MerchantId,
  endpointId: RawBuilder<unknown> | string,
  now: Timestamp,
): RawBuilder<readonly StoredSecret[]> {
  return sql`(
        select coalesce(
          json_agg(
            json_build_object('id', kept.id, 'sealed', encode(kept.sealed, 'hex'), 'secret', kept.secret)
            order by kept.expires_at desc nulls first
          ),
          '[]'
        )
        from webhook_secrets kept
        where kept.merchant_id = ${merchantId}
          and kept.endpoint_id = ${endpointId}
          and (kept.expires_at is null or kept.expires_at > ${now}::timestamptz)
      )`
}

export interface NewSecret extends EndpointKey {
  readonly secretId: string
  readonly sealed: Buffer
  readonly now: Timestamp
}

const insert = writing<NewSecret>()('insert_signing_secret', (p) =>
  build.insertInto('webhook_secrets').values({
    merchant_id: p.merchantId,
    endpoint_id: p.endpointId,
    id: p.secretId,
    sealed: p.sealed,
    created_at: p.now,
  }),
)

const list = reading<EndpointKey>()('list_signing_secrets', (p) =>
  build
    .selectFrom('webhook_secrets')
    .where('merchant_id', '=', p.merchantId)
    .where('endpoint_id', '=', p.endpointId)
    .select([
      'id',
      sql<string | null>`encode(sealed, 'hex')`.as('sealed'),
      'secret',
      'created_at as createdAt',
      'expires_at as expiresAt',
    ])
    .orderBy(sql`expires_at desc nulls first`),
)

const expire = writing<EndpointKey & { secretId: string; expiresAt: Timestamp }>()('expire_signing_secret', (p) =>
  build
    .updateTable('webhook_secrets')
    .set({ expires_at: p.expiresAt })
    .where('merchant_id', '=', p.merchantId)
    .where('endpoint_id', '=', p.endpointId)
    .where('id', '=', p.secretId),
)

const remove = writing<EndpointKey & { ids: readonly string[] }>()(
  'delete_signing_secrets',
  (p) => sql`
    delete from webhook_secrets
    where merchant_id = ${p.merchantId} and endpoint_id = ${p.endpointId} and id = any(${p.ids}::text[])`,
)

/** So many go in a fraction of a second; the next hour takes the rest. */
const deleteMax = 5000

const removeExpired = writing<{ now: Timestamp }>()(
  'delete_expired_secrets',
  (p) => sql<{ id: string }>`
    delete from webhook_secrets
    where (merchant_id, endpoint_id, id) in (
      select merchant_id, endpoint_id, id
      from webhook_secrets
      where expires_at <= ${p.now}::timestamptz
      order by expires_at
      limit ${sql.lit(deleteMax)}
      for update skip locked
    )
    returning id`,
)

export interface OwnedSecret extends EndpointKey, StoredSecret {}

interface Page {
  /** What is sealed with the current key begins with this. */
  readonly mark: Buffer
  readonly afterMerchant: string
  readonly afterEndpoint: string
  readonly afterId: string
  readonly limit: number
}

/** In the order of the key, so that each is met once however many cannot be opened. */
const listStale = reading<Page>()('list_stale_secrets', (p) =>
  build
    .selectFrom('webhook_secrets')
    .where(sql<boolean>`(sealed is null or substr(sealed, 1, length(${p.mark}::bytea)) <> ${p.mark}::bytea)`)
    .where(
      sql<boolean>`(merchant_id, endpoint_id, id) > (${p.afterMerchant}::text, ${p.afterEndpoint}::text, ${p.afterId}::text)`,
    )
    .select([
      'merchant_id as merchantId',
      'endpoint_id as endpointId',
      'id',
      sql<string | null>`encode(sealed, 'hex')`.as('sealed'),
      'secret',
    ])
    .orderBy('merchant_id')
    .orderBy('endpoint_id')
    .orderBy('id')
    .limit(p.limit),
)

const exist = reading<object>()('any_signing_secret', () => build.selectFrom('webhook_secrets').select('id').limit(1))

interface Resealing {
  readonly merchantIds: readonly string[]
  readonly endpointIds: readonly string[]
  readonly ids: readonly string[]
  readonly before: readonly (string | null)[]
  readonly after: readonly string[]
}

/** Only what is still as it was read: another process may have sealed it meanwhile, which is as good. */
const reseal = writing<Resealing>()(
  'reseal_secrets',
  (p) => sql<{ id: string }>`
    update webhook_secrets kept
    set sealed = decode(anew.after, 'hex'), secret = null
    from unnest(
      ${p.merchantIds}::text[], ${p.endpointIds}::text[], ${p.ids}::text[], ${p.before}::text[], ${p.after}::text[]
    ) as anew (merchant_id, endpoint_id, id, before, after)
    where kept.merchant_id = anew.merchant_id
      and kept.endpoint_id = anew.endpoint_id
      and kept.id = anew.id
      and encode(kept.sealed, 'hex') is not distinct from anew.before
    returning kept.id`,
)

export function insertSecret(trx: WriteTrx, secret: NewSecret): void {
  trx.queue(insert, secret)
}

/** The current one first; those that have expired may still be among them. */
export function listSecrets(db: ReadDb, { merchantId, endpointId }: EndpointKey) {
  return db.read(list, { merchantId, endpointId })
}

export function expireSecret(trx: WriteTrx, change: EndpointKey & { secretId: string; expiresAt: Timestamp }): void {
  trx.queue(expire, change)
}

export function deleteSecrets(trx: WriteTrx, change: EndpointKey & { ids: readonly string[] }): void {
  trx.queue(remove, change)
}

/** A copy of the database must not give away what was valid long ago. */
export async function deleteExpiredSecrets(database: Database, now: Timestamp): Promise<number> {
  return (await database.run(removeExpired, { now })).length
}

export async function hasSecrets(db: ReadDb): Promise<boolean> {
  return (await db.read(exist, {})).length > 0
}

/** Those kept as text or sealed with another key than the mark's, from behind the last one on. */
export function listStaleSecrets(
  db: ReadDb,
  { mark, after, limit }: { mark: Buffer; after: OwnedSecret | undefined; limit: number },
): Promise<readonly OwnedSecret[]> {
  const { merchantId = '', endpointId = '', id = '' } = after ?? {}
  return db.read(listStale, { mark, afterMerchant: merchantId, afterEndpoint: endpointId, afterId: id, limit })
}

/** How many were still as they had been read, and now are sealed anew. */
export async function resealSecrets(
  database: Database,
  secrets: readonly { before: OwnedSecret; sealed: Buffer }[],
): Promise<number> {
  const rows = await retryConflicts(() =>
    database.run(reseal, {
      merchantIds: secrets.map(({ before }) => before.merchantId),
      endpointIds: secrets.map(({ before }) => before.endpointId),
      ids: secrets.map(({ before }) => before.id),
      before: secrets.map(({ before }) => before.sealed),
      after: secrets.map(({ sealed }) => sealed.toString('hex')),
    }),
  )
  return rows.length
}
