import { sql } from 'kysely'
import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import type { ReadDb } from '../core/database.ts'
import { hasTrigram } from '../core/pattern.ts'
import { reading } from '../core/statement.ts'
import { listCustomers } from '../customers/customer-list.ts'

/** The records that a text in the search of the audit log names. */

/** Maximum number of customers whose changes a search lists. Each customer costs two reads of an index. */
const customersMax = 20

interface Args {
  readonly merchantId: MerchantId
  readonly text: string
  readonly number: string
}

/** A member is the main record of changes of the role, and the user of changes of the sign-in. */
const numberedOrMember = reading<Args>()(
  'find_audited_records',
  (p) => sql<{ id: string }>`
  select id from orders where merchant_id = ${p.merchantId} and number = ${p.number}
  union all
  select person.id
  from merchants
  join members on members.merchant_id = coalesce(merchants.live_merchant_id, merchants.id)
  join users on users.id = members.user_id
  cross join lateral unnest(array[members.id, users.id]) as person (id)
  where merchants.id = ${p.merchantId}
    and (search_key(users.name) = search_key(${p.text}::text) or users.email = lower(${p.text}))`,
)

const idForm = /^[a-z]+_[0-9a-z]{26}$/

/**
 * Returns the searched text itself, the id of the order with this number, the ids of the member with this name or e-mail
 * address, and the ids of the newest customers with this text in their name, e-mail address or phone number. A text of
 * less than three letters, which the index cannot find, names no customer.
 */
export async function findRecords(db: ReadDb, merchantId: MerchantId, text: string): Promise<readonly string[]> {
  if (idForm.test(text)) return [text]
  const [found, customers] = await Promise.all([
    db.read(numberedOrMember, { merchantId, text, number: text.toUpperCase() }),
    hasTrigram(text) ? listCustomers(db, merchantId, { q: text }, { limit: customersMax, after: undefined }) : [],
  ])
  return [...new Set([text, ...[...found, ...customers].map(({ id }) => id)])]
}
