import { sql } from 'kysely'
import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import type { ReadDb } from '../core/database.ts'
import { reading } from '../core/statement.ts'

/** The members of the live merchant also act for the merchant's test mode. */
const find = reading<{ merchantId: MerchantId; id: string }>()(
  'find_actor_name',
  (p) => sql<{ name: string }>`
    select name from api_tokens where merchant_id = ${p.merchantId} and id = ${p.id}
    union all
    select users.name
    from merchants
    join members on members.merchant_id = coalesce(merchants.live_merchant_id, merchants.id)
    join users on users.id = members.user_id
    where merchants.id = ${p.merchantId} and members.id = ${p.id}`,
)

/** Undefined for an actor that is neither an API token nor a member. */
export async function findActorName(
  db: ReadDb,
  { merchantId, id }: { readonly merchantId: MerchantId; readonly id: string },
): Promise<string | undefined> {
  return (await db.read(find, { merchantId, id }))[0]?.name
}
