import { sql } from 'kysely'
import type { MerchantId, Timestamp } from '../../registry/vocabulary.ts'
import type { ReadDb, WriteTrx } from './database.ts'
import { build, reading, writing } from './statement.ts'

/** What merchants' payment providers are spoken to with. Only sealed secrets get here. */

export interface ProviderKey {
  readonly sealedSecret: Uint8Array
  readonly lastFour: string
}

const find = reading<{ merchantId: MerchantId }>()('find_provider_key', (p) =>
  build
    .selectFrom('payment_provider_keys')
    .where('merchant_id', '=', p.merchantId)
    .where('provider', '=', 'paystack')
    .select(['sealed_secret as sealedSecret', 'last_four as lastFour']),
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

export async function findPaystackKey(db: ReadDb, merchantId: MerchantId): Promise<ProviderKey | undefined> {
  return (await db.read(find, { merchantId }))[0]
}

/** Takes the place of an earlier key. */
export function putPaystackKey(
  trx: WriteTrx,
  key: { merchantId: MerchantId; sealedSecret: Buffer; lastFour: string; now: Timestamp },
): void {
  trx.queue(put, key)
}
