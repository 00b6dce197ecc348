import { scopes as declaredScopes, type Scope } from '../../registry/values/scopes.ts'
import { createMerchant } from '../../src/access/create-merchant.ts'
import { createToken } from '../../src/access/create-token.ts'
import { seedOrders } from '../../src/demo/seed-orders.ts'
import type { Database } from '../../src/store/core/database.ts'
import type { Tenant } from '../../src/store/core/mutation.ts'
import type { Conformance } from '../conformance/conform.ts'
import { contextOf, operator } from '../faults/merchants.ts'

/** Number of orders of the merchant: enough for three pages of a list, as in the demo data. */
const orders = 60

const everyScope = Object.keys(declaredScopes).filter((scope): scope is Scope => Object.hasOwn(declaredScopes, scope))

/**
 * Creates a merchant with orders. Returns the tokens of a conformance run: one with all scopes, one with few scopes,
 * and one of another merchant.
 */
export async function openFuzzMerchant(database: Database): Promise<Conformance['tokens']> {
  const context = contextOf(database)
  const open = async (): Promise<Tenant> => {
    const { testId } = await createMerchant(context, operator, 'Adire Lagos')
    return { merchantId: testId, mode: 'test' }
  }
  const mint = async (tenant: Tenant, scopes: readonly Scope[]): Promise<string> => {
    const request = { name: 'fuzz', scopes, expiresAt: null, ipAllowlist: [] }
    const created = await createToken(context, operator, tenant, request)
    if (created.is !== 'created') throw new Error(`No token: ${created.is}.`)
    return created.token
  }
  const tenant = await open()
  await seedOrders(context, operator, tenant, { orders })
  return {
    token: await mint(tenant, everyScope),
    'narrow-token': await mint(tenant, ['inventory:write']),
    'other-token': await mint(await open(), everyScope),
  }
}
