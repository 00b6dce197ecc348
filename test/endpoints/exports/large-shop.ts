import type { Context } from '../../../src/store/core/mutation.ts'
import type { TestApi } from '../../support/api.ts'
import { select } from '../../support/database-contents.ts'
import { openShop, type Shop } from '../../support/shop.ts'

/** Number of customers: their export is larger than the buffers of the operating system. */
const count = 20_000

export async function openLargeShop(
  api: Pick<TestApi, 'database'> & { readonly context: Context },
): Promise<Shop & { readonly count: number }> {
  const { context } = api
  const shop = await openShop(context)
  await select(
    api,
    `insert into customers (merchant_id, id, name, email, note, created_at, updated_at)
     select $1, 'cus_0' || lpad(number::text, 25, '0'), 'Adaeze', number || '@example.com', repeat('x', 1000), moment, moment
     from generate_series(1, $2::integer) number, cast($3 as timestamptz) moment`,
    [shop.merchantId, count, new Date(context.clock.nowMs() - 1000).toISOString()],
  )
  return { ...shop, count }
}
