import type { MerchantId, Timestamp } from '../../../../registry/values/vocabulary.ts'
import { running } from '../../core/calls.ts'
import type { ReadDb } from '../../core/database.ts'
import { build, reading } from '../../core/statement.ts'

/**
 * The codes by which carriers identify addresses. The key of a stored code consists of a digest of the carrier account
 * and a digest of the address.
 */

export interface AddressCodeKey {
  readonly merchantId: MerchantId
  readonly carrier: string
  readonly accountDigest: string
  readonly addressDigest: string
}

const find = reading<AddressCodeKey>()('find_address_code', (p) =>
  build
    .selectFrom('carrier_address_codes')
    .where('merchantId', '=', p.merchantId)
    .where('carrier', '=', p.carrier)
    .where('accountDigest', '=', p.accountDigest)
    .where('addressDigest', '=', p.addressDigest)
    .select('code'),
)

export async function findAddressCode(db: ReadDb, key: AddressCodeKey): Promise<number | undefined> {
  return (await db.read(find, key))[0]?.code
}

export const putAddressCode = running<AddressCodeKey & { code: number; now: Timestamp }>()('put_address_code', (p) =>
  build
    .insertInto('carrier_address_codes')
    .values({
      merchantId: p.merchantId,
      carrier: p.carrier,
      accountDigest: p.accountDigest,
      addressDigest: p.addressDigest,
      code: p.code,
      createdAt: p.now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['merchantId', 'carrier', 'accountDigest', 'addressDigest'])
        .doUpdateSet((row) => ({ code: row.ref('excluded.code'), createdAt: row.ref('excluded.createdAt') })),
    ),
)

/** Deletes an address code that the carrier no longer accepts. A newer code of the address stays. */
export const deleteAddressCode = running<AddressCodeKey & { code: number }>()('delete_address_code', (p) =>
  build
    .deleteFrom('carrier_address_codes')
    .where('merchantId', '=', p.merchantId)
    .where('carrier', '=', p.carrier)
    .where('accountDigest', '=', p.accountDigest)
    .where('addressDigest', '=', p.addressDigest)
    .where('code', '=', p.code),
)
