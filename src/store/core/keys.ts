import { createSecretKey } from 'node:crypto'
import { sql } from 'kysely'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { randomKey } from '../../base/ids.ts'
import type { SigningKey } from '../../base/signed-text.ts'
import type { Database } from './database.ts'
import { build, reading, writing } from './statement.ts'

/** Secrets that the service generates and shares among its processes through the database. */
export type KeyPurpose = 'cursor' | 'simulator' | 'buyer_link'

/** Length of a key in bytes: the output length of the hash, which is the recommended key length of HMAC. */
const keyBytes = 32

const insertKey = writing<{ purpose: KeyPurpose; secret: Buffer; now: Timestamp }>()(
  'insert_service_key',
  (p) => sql`
    insert into service_keys (purpose, key_id, secret, created_at)
    values (${p.purpose}, 1, ${p.secret}, ${p.now}::timestamptz)
    on conflict do nothing`,
)

const listKeys = reading<{ purpose: KeyPurpose }>()('list_service_keys', (p) =>
  build
    .selectFrom('service_keys')
    .where('purpose', '=', p.purpose)
    .select(['keyId', 'secret'])
    .orderBy('keyId', 'desc'),
)

/**
 * Returns the keys of a purpose, newest first. Creates the first key if there is none. The secrets are key objects,
 * because creating a key object for each signature takes four times as long as the signature.
 */
export async function serviceKeys(
  database: Database,
  purpose: KeyPurpose,
  now: Timestamp,
): Promise<readonly SigningKey[]> {
  await database.run(insertKey, { purpose, secret: randomKey(keyBytes), now })
  const rows = await database.read(listKeys, { purpose })
  return rows.map((row) => ({ id: row.keyId, secret: createSecretKey(row.secret) }))
}
