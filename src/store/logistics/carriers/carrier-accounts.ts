import { type Selectable, sql } from 'kysely'
import type { MerchantId, Timestamp } from '../../../../registry/values/vocabulary.ts'
import { finding, lockingFirst, queueing } from '../../core/calls.ts'
import type { ReadDb, WriteTrx } from '../../core/database.ts'
import { sealedSecrets } from '../../core/sealed-secrets.ts'
import { build, shortReading, writing } from '../../core/statement.ts'
import type { Tables } from '../../tables/tables.ts'

/** Carrier accounts of merchants. Only encrypted credentials reach this module. */

export type AccountCarrier = Tables['carrier_accounts']['carrier']

export type StoredCarrierAccount = Readonly<Omit<Selectable<Tables['carrier_accounts']>, 'merchantId'>>

const list = shortReading<{ merchantId: MerchantId }>()('list_carrier_accounts', (p) =>
  build
    .selectFrom('carrier_accounts')
    .where('merchantId', '=', p.merchantId)
    .select(['carrier', 'sealedCredentials', 'hint', 'callbackKey', 'createdAt', 'updatedAt'])
    .orderBy('carrier'),
)

interface CarrierAccountKey {
  readonly merchantId: MerchantId
  readonly carrier: AccountCarrier
}

interface NewCarrierAccount extends CarrierAccountKey {
  readonly sealedCredentials: Buffer
  readonly hint: string
  readonly callbackKey: string
  readonly now: Timestamp
}

/**
 * An existing carrier account keeps its callback key, because the carrier uses the callback address with this key until
 * someone changes the address at the carrier.
 */
const put = writing<NewCarrierAccount>()(
  'put_carrier_account',
  (p) => sql<{ callbackKey: string }>`
    insert into carrier_accounts
      (merchant_id, carrier, sealed_credentials, hint, callback_key, created_at, updated_at)
    values (
      ${p.merchantId}, ${p.carrier}, ${p.sealedCredentials}, ${p.hint}, ${p.callbackKey},
      ${p.now}::timestamptz, ${p.now}::timestamptz
    )
    on conflict (merchant_id, carrier) do update
    set
      sealed_credentials = excluded.sealed_credentials,
      hint = excluded.hint,
      updated_at = excluded.updated_at
    returning callback_key`,
)

/** Ordered by carrier code. */
export function findCarrierAccounts(db: ReadDb, merchantId: MerchantId): Promise<readonly StoredCarrierAccount[]> {
  return db.read(list, { merchantId })
}

/**
 * Finds a merchant's account at a carrier by the callback key that the address of a callback contains. Undefined if the
 * account has another callback key.
 */
export const findCarrierAccountByKey = finding<{
  merchantId: MerchantId
  carrier: AccountCarrier
  callbackKey: string
}>()('find_carrier_account_by_key', (p) =>
  build
    .selectFrom('carrier_accounts')
    .where('merchantId', '=', p.merchantId)
    .where('carrier', '=', p.carrier)
    .where('callbackKey', '=', p.callbackKey)
    .select(['carrier', 'sealedCredentials']),
)

/** Undefined when the merchant has no account at the carrier. */
export const lockCarrierAccount = lockingFirst<CarrierAccountKey>()('lock_carrier_account', (p) =>
  build
    .selectFrom('carrier_accounts')
    .where('merchantId', '=', p.merchantId)
    .where('carrier', '=', p.carrier)
    .select(['hint', 'callbackKey'])
    .forUpdate(),
)

/** Returns the key of the callback address; an existing account retains its key. */
export async function putCarrierAccount(trx: WriteTrx, account: NewCarrierAccount): Promise<string> {
  const [stored] = await trx.write(put, account)
  return stored?.callbackKey ?? account.callbackKey
}

export const removeCarrierAccount = queueing<CarrierAccountKey>()('remove_carrier_account', (p) =>
  build.deleteFrom('carrier_accounts').where('merchantId', '=', p.merchantId).where('carrier', '=', p.carrier),
)

export const sealedCredentials = sealedSecrets<CarrierAccountKey>('carrier_accounts', 'sealed_credentials', [
  'merchantId',
  'carrier',
])
