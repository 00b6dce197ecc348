import type { TestApi } from '../api.ts'
import { select } from '../database-contents.ts'
import { openShop, type Shop } from '../shop.ts'

/** Columns of the merchant's database row that no operation of the API can change yet. */
export type Settings = Readonly<Record<string, unknown>>

export async function openShopWith(api: TestApi, settings: Settings): Promise<{ api: TestApi; shop: Shop }> {
  const shop = await openShop(api.context)
  for (const [column, value] of Object.entries(settings)) {
    await select(api, `update merchants set ${column} = $2 where id = $1`, [shop.merchantId, value])
  }
  return { api, shop }
}
