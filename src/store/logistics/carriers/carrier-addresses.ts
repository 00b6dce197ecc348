import type { MerchantId, Timestamp } from '../../../../registry/values/vocabulary.ts'
import type { Database, ReadDb } from '../../core/database.ts'
import { build, reading, writing } from '../../core/statement.ts'

/** Address codes of carriers, by a digest of the carrier account and one of the address. */

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

/** Returns the code of an address at a carrier; undefined when it is not stored. */
export async function findAddressCode(db: ReadDb, key: AddressCodeKey): Promise<number | undefined> {
  return (await db.read(find, key))[0]?.code
}

const put = writing<AddressCodeKey & { code: number; now: Timestamp }>()('put_address_code', (p) =>
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

/** Stores the code of an address at a carrier, replacing an earlier code. */
export async function putAddressCode(
  database: Database,
  code: AddressCodeKey & { code: number; now: Timestamp },
): Promise<void> {
  await database.run(put, code)
}

const remove = writing<AddressCodeKey & { code: number }>()('delete_address_code', (p) =>
  build
    .deleteFrom('carrier_address_codes')
    .where('merchantId', '=', p.merchantId)
    .where('carrier', '=', p.carrier)
    .where('accountDigest', '=', p.accountDigest)
    .where('addressDigest', '=', p.addressDigest)
    .where('code', '=', p.code),
)

/** Deletes an address code that the carrier no longer accepts. A newer code of the address stays. */
export async function deleteAddressCode(database: Database, key: AddressCodeKey & { code: number }): Promise<void> {
  await database.run(remove, key)
}
