import { sql } from 'kysely'
import type { MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { Database, ReadDb, WriteTrx } from '../core/database.ts'
import { retryConflicts } from '../core/retry-conflicts.ts'
import { build, reading, writing } from '../core/statement.ts'

/** The API keys of the merchants at their payment providers, encrypted. */

export interface ProviderKey {
  readonly sealedSecret: Uint8Array
  readonly lastFour: string
}

const find = reading<{ merchantId: MerchantId }>()('find_provider_key', (p) =>
  build
    .selectFrom('payment_provider_keys')
    .where('merchantId', '=', p.merchantId)
    .where('provider', '=', 'paystack')
    .select(['sealedSecret', 'lastFour']),
)

const put = writing<{ merchantId: MerchantId; sealedSecret: Buffer; lastFour: string; now: Timestamp }>()(
  'put_provider_key',
  (p) => sql`
    insert into payment_provider_keys (merchant_id, provider, sealed_secret, last_four, created_at, updated_at)
    values (
      ${p.merchantId}, 'paystack', ${p.sealedSecret}, ${p.lastFour}, ${p.now}::timestamptz, ${p.now}::timestamptz
    )
    on conflict (merchant_id, provider) do update
    set sealed_secret = excluded.sealed_secret, last_four = excluded.last_four, updated_at = excluded.updated_at`,
)

export interface OwnedKey {
  readonly merchantId: MerchantId
  readonly sealed: Buffer
}

/** The keys are paginated by merchant, so that keys that cannot be decrypted are listed only once. */
const listStale = reading<{ mark: Buffer; after: string; limit: number }>()('list_stale_provider_keys', (p) =>
  build
    .selectFrom('payment_provider_keys')
    .where(sql<boolean>`substr(sealed_secret, 1, length(${p.mark}::bytea)) <> ${p.mark}::bytea`)
    .where('provider', '=', 'paystack')
    .where(sql<boolean>`merchant_id > ${p.after}::text`)
    .select(['merchantId', 'sealedSecret as sealed'])
    .orderBy('merchantId')
    .limit(p.limit),
)

const exist = reading<object>()('any_provider_key', () =>
  build.selectFrom('payment_provider_keys').select('merchantId').limit(1),
)

/**
 * Only keys that are unchanged since they were read are updated: another process may have encrypted or replaced a key.
 */
const reseal = writing<{
  merchantIds: readonly string[]
  before: readonly string[]
  after: readonly string[]
}>()(
  'reseal_provider_keys',
  (p) => sql<{ merchantId: string }>`
    update payment_provider_keys stored
    set sealed_secret = decode(resealed.after, 'hex')
    from unnest(${p.merchantIds}::text[], ${p.before}::text[], ${p.after}::text[]) as resealed (merchant_id, before, after)
    where stored.merchant_id = resealed.merchant_id
      and stored.provider = 'paystack'
      and stored.sealed_secret = decode(resealed.before, 'hex')
    returning stored.merchant_id`,
)

const findUsed = reading<{ merchantId: MerchantId }>()('find_used_provider_key', (p) =>
  build
    .selectFrom('merchants')
    .leftJoin('payment_provider_keys as key', (join) =>
      join.onRef('key.merchantId', '=', 'merchants.id').on('key.provider', '=', 'paystack'),
    )
    .where('merchants.id', '=', p.merchantId)
    .select(['merchants.mode', 'key.sealedSecret']),
)

/** Returns the mode of a merchant and its encrypted provider key, read in one statement. */
export async function findUsedKey(
  db: ReadDb,
  merchantId: MerchantId,
): Promise<{ readonly mode: 'live' | 'test'; readonly sealedSecret: Uint8Array | null } | undefined> {
  return (await db.read(findUsed, { merchantId }))[0]
}

const listConnected = reading<object>()('list_connected_merchants', () =>
  build.selectFrom('payment_provider_keys').where('provider', '=', 'paystack').select('merchantId'),
)

/** Returns the merchants that are connected to a payment provider. */
export async function listConnectedMerchants(db: ReadDb): Promise<readonly MerchantId[]> {
  return (await db.read(listConnected, {})).map(({ merchantId }) => merchantId)
}

export async function findPaystackKey(db: ReadDb, merchantId: MerchantId): Promise<ProviderKey | undefined> {
  return (await db.read(find, { merchantId }))[0]
}

/** Stores a merchant's provider key, replacing an earlier key. */
export function putPaystackKey(
  trx: WriteTrx,
  key: { merchantId: MerchantId; sealedSecret: Buffer; lastFour: string; now: Timestamp },
): void {
  trx.queue(put, key)
}

export async function hasKeys(db: ReadDb): Promise<boolean> {
  return (await db.read(exist, {})).length > 0
}

/** Returns a page of the provider keys that are not encrypted with the current encryption key. */
export function listStaleKeys(
  db: ReadDb,
  { mark, after, limit }: { mark: Buffer; after: OwnedKey | undefined; limit: number },
): Promise<readonly OwnedKey[]> {
  return db.read(listStale, { mark, after: after?.merchantId ?? '', limit })
}

/**
 * Stores provider keys that were encrypted again. Returns the number of keys that had not changed since they were read.
 */
export async function resealKeys(
  database: Database,
  keys: readonly { before: OwnedKey; sealed: Buffer }[],
): Promise<number> {
  const rows = await retryConflicts(() =>
    database.run(reseal, {
      merchantIds: keys.map(({ before }) => before.merchantId),
      before: keys.map(({ before }) => before.sealed.toString('hex')),
      after: keys.map(({ sealed }) => sealed.toString('hex')),
    }),
  )
  return rows.length
}
