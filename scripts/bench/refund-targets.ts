import type { Scope } from '../../registry/values/scopes.ts'
import type { MerchantId } from '../../registry/values/vocabulary.ts'
import { createMerchant } from '../../src/access/create-merchant.ts'
import { systemClock } from '../../src/base/clock.ts'
import { systemActor } from '../../src/store/core/audit.ts'
import { openDatabase } from '../../src/store/core/database.ts'
import type { DatabaseRoles } from '../../src/store/server/service-role.ts'
import { createBenchToken } from './create-bench-token.ts'
import { makeOrders } from './orders.ts'

const actor = systemActor('bench')

/** A merchant with paid orders, and a token with which they can be refunded. */
export interface RefundTargets {
  readonly merchantId: MerchantId
  readonly token: string
}

export async function createRefundTargets(
  { connectionString, ownerConnectionString }: DatabaseRoles,
  orders: number,
  scopes: readonly Scope[] = ['refunds:write'],
): Promise<RefundTargets> {
  const database = openDatabase({ connectionString })
  const context = { database, clock: systemClock, nudge: () => undefined }
  const { id: merchantId } = await createMerchant(context, actor, 'Adire Lagos')
  const token = await createBenchToken(context, { merchantId, mode: 'live' }, scopes)
  await makeOrders(ownerConnectionString, [merchantId], orders)
  await database.close()
  return { merchantId, token }
}
