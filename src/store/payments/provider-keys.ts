import { sql } from 'kysely'
import type { PaymentProviderName } from '../../../registry/values/payment-providers.ts'
import type { MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { Database, ReadDb, WriteTrx } from '../core/database.ts'
import { retryConflicts } from '../core/retry-conflicts.ts'
import { build, reading, writing } from '../core/statement.ts'

/** The API keys of the merchants at their payment providers, encrypted. */

/** The last characters of a merchant's key, which may be shown. */
export interface ProviderKey {
  readonly provider: PaymentProviderName
  readonly lastFour: string
}

const list = reading<{ merchantId: MerchantId }>()('list_provider_keys', (p) =>
  build.selectFrom('payment_provider_keys').where('merchantId', '=', p.merchantId).select(['provider', 'lastFour']),
)

interface NewKey extends ProviderKey {
  readonly merchantId: MerchantId
  readonly sealedSecret: Buffer
  readonly now: Timestamp
}

const put = writing<NewKey>()(
  'put_provider_key',
  (p) => sql`
    insert into payment_provider_keys (merchant_id, provider, sealed_secret, last_four, created_at, updated_at)
    values (
      ${p.merchantId}, ${p.provider}, ${p.sealedSecret}, ${p.lastFour}, ${p.now}::timestamptz, ${p.now}::timestamptz
    )
    on conflict (merchant_id, provider) do update
    set sealed_secret = excluded.sealed_secret, last_four = excluded.last_four, updated_at = excluded.updated_at`,
)

export interface OwnedKey {
  readonly merchantId: MerchantId
  readonly provider: PaymentProviderName
  readonly sealed: Buffer
}

/** The keys are paginated by merchant and provider, so that keys that cannot be decrypted are listed only once. */
const listStale = reading<{ mark: Buffer; afterMerchant: string; afterProvider: string; limit: number }>()(
  'list_stale_provider_keys',
  (p) =>
    build
      .selectFrom('payment_provider_keys')
      .where(sql<boolean>`substr(sealed_secret, 1, length(${p.mark}::bytea)) <> ${p.mark}::bytea`)
      .where(sql<boolean>`(merchant_id, provider) > (${p.afterMerchant}::text, ${p.afterProvider}::text)`)
      .select(['merchantId', 'provider', 'sealedSecret as sealed'])
      .orderBy('merchantId')
      .orderBy('provider')
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
  providers: readonly string[]
  before: readonly string[]
  after: readonly string[]
}>()(
  'reseal_provider_keys',
  (p) => sql<{ merchantId: string }>`
    update payment_provider_keys stored
    set sealed_secret = decode(resealed.after, 'hex')
    from unnest(${p.merchantIds}::text[], ${p.providers}::text[], ${p.before}::text[], ${p.after}::text[])
      as resealed (merchant_id, provider, before, after)
    where stored.merchant_id = resealed.merchant_id
      and stored.provider = resealed.provider
      and stored.sealed_secret = decode(resealed.before, 'hex')
    returning stored.merchant_id`,
)

const findUsed = reading<{ merchantId: MerchantId; provider: PaymentProviderName }>()('find_used_provider_key', (p) =>
  build
    .selectFrom('merchants')
    .leftJoin('payment_provider_keys as key', (join) =>
      join.onRef('key.merchantId', '=', 'merchants.id').on('key.provider', '=', p.provider),
    )
    .where('merchants.id', '=', p.merchantId)
    .select(['merchants.mode', 'key.sealedSecret']),
)

/** Returns the mode of a merchant and its encrypted key at a provider, read in one statement. */
export async function findUsedKey(
  db: ReadDb,
  merchantId: MerchantId,
  provider: PaymentProviderName,
): Promise<{ readonly mode: 'live' | 'test'; readonly sealedSecret: Uint8Array | null } | undefined> {
  return (await db.read(findUsed, { merchantId, provider }))[0]
}

const listConnected = reading<object>()('list_connected_merchants', () =>
  build.selectFrom('payment_provider_keys').select(['merchantId', 'provider']),
)

/** Returns the merchants that are connected to payment providers, with each provider. */
export function listConnectedMerchants(db: ReadDb): Promise<readonly Pick<OwnedKey, 'merchantId' | 'provider'>[]> {
  return db.read(listConnected, {})
}

/** Returns the last characters of a merchant's keys. */
export function listProviderKeys(db: ReadDb, merchantId: MerchantId): Promise<readonly ProviderKey[]> {
  return db.read(list, { merchantId })
}

/** Stores a merchant's provider key, replacing an earlier key. */
export function putProviderKey(trx: WriteTrx, key: NewKey): void {
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
  return db.read(listStale, {
    ...{ mark, limit, afterMerchant: after?.merchantId ?? '', afterProvider: after?.provider ?? '' },
  })
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
      providers: keys.map(({ before }) => before.provider),
      before: keys.map(({ before }) => before.sealed.toString('hex')),
      after: keys.map(({ sealed }) => sealed.toString('hex')),
    }),
  )
  return rows.length
}
