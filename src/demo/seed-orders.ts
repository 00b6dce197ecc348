import type { CustomerId, MerchantId } from '../../registry/values/vocabulary.ts'
import { getMerchantSettings } from '../store/access/merchants.ts'
import type { Actor } from '../store/core/audit.ts'
import type { WriteTrx } from '../store/core/database.ts'
import { type Context, mutate, type Tenant, type Work } from '../store/core/mutation.ts'
import {
  analyzeSeededTables,
  seedCustomers,
  seedItems,
  seedOrders as seedOrderRows,
  seedPayments,
  seedStatusChanges,
} from '../store/seed/seed.ts'
import { findCustomerIds } from '../store/seed/seed-customers.ts'
import { findLastReference } from '../store/seed/seed-position.ts'
import { hasProducts, listSellableVariants, moveStock } from '../store/seed/seed-stock.ts'
import { demoIds } from './demo-ids.ts'
import { type GeneratedOrder, generateOrders, type OrderPlan } from './generate-orders.ts'
import { orderRecordOf } from './order-record.ts'
import { demoReference, positionAfter } from './order-reference.ts'
import { seedCatalogue } from './seed-catalogue.ts'
import { restockFor } from './stock-movements.ts'

export interface SeedOptions {
  readonly orders: number
  /**
   * Seed of the random generator. The same seed generates the same orders for the same merchant if their numbering
   * starts at the same position.
   */
  readonly seed?: string
  /** Whether to emit order.created to the merchant's webhook endpoints for each order. */
  readonly emitEvents?: boolean
  readonly onProgress?: (done: number) => void
}

export type SeedOutcome =
  | { readonly is: 'seeded'; readonly orders: number; readonly products: number; readonly events: number }
  | { readonly is: 'nothing_to_sell' }

/** Orders per batch: enough to make a batch's fixed cost negligible, and few enough to hold locks only briefly. */
const batchSize = 2_000

/** Creates demo orders of the last half year for a merchant, and a catalogue first if there is none. */
export async function seedOrders(
  context: Context,
  actor: Actor,
  tenant: Tenant,
  options: SeedOptions,
): Promise<SeedOutcome> {
  const { merchantId } = tenant
  const hasOwnProducts = await hasProducts(context.database, { merchantId })
  const products = hasOwnProducts ? 0 : await seedCatalogue(context, actor, tenant)
  const plan = await planOf(context, merchantId, options)
  if (plan.variants.length === 0) return { is: 'nothing_to_sell' }
  for (let index = 0; index < plan.count; index += batchSize) {
    const count = Math.min(batchSize, plan.count - index)
    await seedBatch(context, actor, tenant, { plan, index, count, emitEvents: options.emitEvents ?? false })
    // The database tables are analysed twice. The analysis after the first batch gives PostgreSQL the statistics to
    // plan the statements of the later batches well. The analysis after the last batch gives it the statistics for all
    // later queries.
    if (index === 0 || index + count === plan.count) await analyzeSeededTables(context.database, {})
    options.onProgress?.(index + count)
  }
  return { is: 'seeded', orders: plan.count, products, events: options.emitEvents ? plan.count : 0 }
}

async function planOf(context: Context, merchantId: MerchantId, options: SeedOptions): Promise<OrderPlan> {
  const settings = await getMerchantSettings(context.database, merchantId)
  return {
    seed: options.seed ?? 'demo',
    merchantId,
    nowMs: context.clock.nowMs(),
    count: options.orders,
    tax: { rateBps: settings.isTaxRegistered ? settings.taxRateBps : 0, isInclusive: settings.isTaxInclusive },
    pendingOrderTtlMinutes: settings.pendingOrderTtlMinutes,
    variants: await listSellableVariants(context.database, merchantId),
  }
}

interface Batch {
  readonly plan: OrderPlan
  readonly index: number
  readonly count: number
  readonly emitEvents: boolean
}

/**
 * Seeds a batch of demo orders in one transaction with one audit entry. The transaction reads the last seeded order,
 * after which the batch continues. If another seeding run or a real order uses one of the order numbers, mutate()
 * retries the transaction with a new position and other numbers.
 */
async function seedBatch(context: Context, actor: Actor, tenant: Tenant, batch: Batch): Promise<void> {
  let attempt = 0
  const mutation = {
    tenant,
    actor,
    action: 'seed.orders' as const,
    resourceType: 'merchant',
    resourceId: () => tenant.merchantId,
    emits: ['order.created'] as const,
  }
  await mutate<void, 'order.created'>(context, mutation, async (work) => {
    const position = positionAfter(await findLastReference(work.trx, work.merchantId, referenceBounds))
    const range = { index: batch.index, position, count: batch.count, attempt: attempt++, ledgerMs: work.nowMs }
    await writeBatch(work, batch, generateOrders(batch.plan, range), position)
  })
}

const referenceBounds = { first: demoReference(0), last: demoReference(9_999_999_999) } // Lowest and highest external reference of a demo order.

async function writeBatch(
  work: Work<'order.created'>,
  batch: Batch,
  generated: readonly GeneratedOrder[],
  position: number,
): Promise<void> {
  const { trx, merchantId, now, nowMs, note, emit } = work
  const customers = await customersOf(trx, merchantId, generated)
  const customerIdOf = ({ customer }: GeneratedOrder) => customers.get(customer.email.toLowerCase()) ?? null
  seedOrderRows.insert(
    trx,
    generated.map((each) => ({ ...each.order, customerId: customerIdOf(each) })),
  )
  seedItems.insert(
    trx,
    generated.flatMap((each) => each.items),
  )
  seedPayments.insert(
    trx,
    generated.flatMap((each) => each.payments),
  )
  seedStatusChanges.insert(
    trx,
    generated.flatMap((each) => each.statusChanges),
  )
  const movements = generated.flatMap((each) => each.movements)
  const ids = demoIds(merchantId, batch.plan.seed, 'restock', position)
  const restocks = restockFor(movements, { atMs: nowMs, position }, ids)
  moveStock(trx, { merchantId, now, movements: [...restocks, ...movements] })
  if (batch.emitEvents) {
    for (const each of generated) {
      emit('order.created', each.order.id, { order: orderRecordOf(each, customerIdOf(each)) })
    }
  }
  note({ orders: [position, position + generated.length], seed: [null, batch.plan.seed] })
}

/** Creates the customer records that do not exist yet, and returns the ids of all customers of the orders. */
async function customersOf(
  trx: WriteTrx,
  merchantId: MerchantId,
  generated: readonly GeneratedOrder[],
): Promise<ReadonlyMap<string, CustomerId>> {
  // A customer record gets the data of the customer's first order in the batch. For this, the orders are inserted into
  // the map in reverse, and the first order of each customer overwrites the later ones.
  const records = new Map([...generated].reverse().map(({ customer }) => [customer.email.toLowerCase(), customer]))
  seedCustomers.insert(trx, [...records.values()])
  return findCustomerIds(trx, merchantId, [...records.keys()])
}
