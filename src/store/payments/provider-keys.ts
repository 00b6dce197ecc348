import { sql } from 'kysely'
import type { PaymentProviderName } from '../../../registry/values/payment-providers.ts'
import type { MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { finding, listing, lockingFirst, queueing, searchingAll } from '../core/calls.ts'
import { sealedSecrets } from '../core/sealed-secrets.ts'
import { build } from '../core/statement.ts'

/** The API keys of the merchants at their payment providers, encrypted. */

/** The last four characters of a merchant's provider key. Only these characters may be shown. */
export interface ProviderKey {
  readonly provider: PaymentProviderName
  readonly lastFour: string
}

interface NewKey extends ProviderKey {
  readonly merchantId: MerchantId
  readonly sealedSecret: Buffer
  readonly now: Timestamp
}

export interface Connection {
  readonly merchantId: MerchantId
  readonly provider: PaymentProviderName
}

export const sealedKeys = sealedSecrets<Connection>('payment_provider_keys', 'sealed_secret', [
  'merchantId',
  'provider',
])

/** Returns the mode of a merchant and its encrypted key at a provider, read in one statement. */
export const findUsedKey = finding<{ merchantId: MerchantId; provider: PaymentProviderName }>()(
  'find_used_provider_key',
  (p) =>
    build
      .selectFrom('merchants')
      .leftJoin('payment_provider_keys as key', (join) =>
        join.onRef('key.merchantId', '=', 'merchants.id').on('key.provider', '=', p.provider),
      )
      .where('merchants.id', '=', p.merchantId)
      .select(['merchants.mode', 'key.sealedSecret', 'key.updatedAt']),
)

/** Returns the merchants that are connected to payment providers, one row for each merchant and provider. */
export const listConnectedMerchants = searchingAll<object>()('list_connected_merchants', (_, isReachable) =>
  build
    .selectFrom('payment_provider_keys')
    .where(isReachable('merchantId'))
    .select(['merchantId', 'provider', 'reconciledAt']),
)

/**
 * Locks a merchant's connection to a payment provider, so that two jobs do not both report an outage of this provider.
 */
export const lockConnection = lockingFirst<Connection>()('lock_connection', (p) =>
  build
    .selectFrom('payment_provider_keys')
    .where('merchantId', '=', p.merchantId)
    .where('provider', '=', p.provider)
    .select('reconciledAt')
    .forUpdate(),
)

/** Stores when the payments of a merchant's connection were last compared with the payments at its provider. */
export const setReconciled = queueing<Connection & { now: Timestamp }>()('set_reconciled', (p) =>
  build
    .updateTable('payment_provider_keys')
    .set({ reconciledAt: p.now })
    .where('merchantId', '=', p.merchantId)
    .where('provider', '=', p.provider),
)

export const listProviderKeys = listing<{ merchantId: MerchantId }>()('list_provider_keys', (p) =>
  build.selectFrom('payment_provider_keys').where('merchantId', '=', p.merchantId).select(['provider', 'lastFour']),
)

export const putProviderKey = queueing<NewKey>()(
  'put_provider_key',
  (p) => sql`
    insert into payment_provider_keys (
      merchant_id, provider, sealed_secret, last_four, created_at, updated_at, reconciled_at
    )
    values (
      ${p.merchantId}, ${p.provider}, ${p.sealedSecret}, ${p.lastFour}, ${p.now}::timestamptz, ${p.now}::timestamptz,
      ${p.now}::timestamptz
    )
    on conflict (merchant_id, provider) do update
    set sealed_secret = excluded.sealed_secret, last_four = excluded.last_four, updated_at = excluded.updated_at`,
)
