import { type RawBuilder, sql } from 'kysely'
import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import type { ReadDb } from '../core/database.ts'
import { hasTrigram } from '../core/pattern.ts'
import { reading } from '../core/statement.ts'
import { listCustomers } from '../customers/customer-list.ts'

/** Maximum number of customers whose changes a search lists. Each customer costs two reads of an index. */
const customersMax = 20

/**
 * Error: the searched text matches more customers than one search can list. A result without some of these customers
 * would be misleading.
 */
export class TooManyCustomers extends Error {
  constructor() {
    super(
      `More than ${customersMax} customers match. Enter the whole name, an e-mail address, a phone number or an id.`,
    )
  }
}

interface Args {
  readonly merchantId: MerchantId
  readonly text: string
  readonly number: string
}

/**
 * Selects the members of a merchant whose name or e-mail address contains a text. A text of less than three letters
 * must be the whole name or the whole e-mail address. `columns` names the columns of the tables `members` and `users`.
 */
export function selectMembersNamed(merchantId: unknown, text: string, columns: RawBuilder<unknown>) {
  return sql<{ id: string }>`
    select ${columns}
    from merchants
    join members on members.merchant_id = coalesce(merchants.live_merchant_id, merchants.id)
    join users on users.id = members.user_id
    cross join lateral unnest(array[members.id, users.id]) as person (id)
    where merchants.id = ${merchantId}
      and (
        search_key(users.name) = search_key(${text}::text)
        or users.email = lower(${text})
        or char_length(search_key(${text}::text)) >= 3
          and search_key(users.name || e'\n' || users.email) like search_pattern(${text}::text)
      )`
}

/**
 * Finds orders by number, and members by name or e-mail address. For a member, the search returns the id of the member,
 * to which role changes refer, and the id of the user, to which sign-in changes refer.
 */
const numberedOrMember = reading<Args>()(
  'find_audited_records',
  (p) => sql<{ id: string }>`
  select id from orders where merchant_id = ${p.merchantId} and number = ${p.number}
  union all
  ${selectMembersNamed(p.merchantId, p.text, sql`person.id`)}`,
)

const idForm = /^[a-z]+_[0-9a-z]{26}$/

/**
 * Returns the searched text itself, and the ids of the records that the text names. The text can be the number of an
 * order, or occur in the name or e-mail address of a member. It can also occur in the name, e-mail address or phone
 * number of a customer. A text of less than three letters, which the index cannot find, names no customer. Throws
 * TooManyCustomers if more than 20 customers match.
 */
export async function findRecords(db: ReadDb, merchantId: MerchantId, text: string): Promise<readonly string[]> {
  if (idForm.test(text)) return [text]
  const [found, customers] = await Promise.all([
    db.read(numberedOrMember, { merchantId, text, number: text.toUpperCase() }),
    hasTrigram(text) ? listCustomers(db, merchantId, { q: text }, { limit: customersMax + 1, after: undefined }) : [],
  ])
  if (customers.length > customersMax) throw new TooManyCustomers()
  return [...new Set([text, ...[...found, ...customers].map(({ id }) => id)])]
}
