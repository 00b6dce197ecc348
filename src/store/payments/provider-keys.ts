import { sql } from 'kysely'
import type { PaymentProviderName } from '../../../registry/values/payment-providers.ts'
import type { MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { ReadDb, WriteTrx } from '../core/database.ts'
import { sealedSecrets } from '../core/sealed-secrets.ts'
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

/** A merchant's connection to a payment provider. */
export interface Connection {
  readonly merchantId: MerchantId
  readonly provider: PaymentProviderName
}

export const sealedKeys = sealedSecrets<Connection>('payment_provider_keys', 'sealed_secret', [
  'merchantId',
  'provider',
])

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
export function listConnectedMerchants(db: ReadDb): Promise<readonly Connection[]> {
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
