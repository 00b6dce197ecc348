import { OrderInput } from '../../../registry/orders/orders.ts'
import { createOrder } from '../../../src/commerce/orders/create-order.ts'
import { mutate, type Work } from '../../../src/store/core/mutation.ts'
import { build, reading } from '../../../src/store/core/statement.ts'
import type { TestApi } from '../api.ts'
import { operator, type Shop } from '../shop.ts'

const nothing = reading<object>()('read_nothing', () => build.selectFrom('merchants').select('id').limit(0))

/** An order whose transaction has executed all its statements and waits until the test calls `commit`. */
export interface OpenOrder {
  /** Commits the order's transaction. Resolves with the id of the order. */
  commit(): Promise<string>
}

export async function openOrder(api: TestApi, shop: Shop, body: object): Promise<OpenOrder> {
  const request = OrderInput.parse(body)
  const latch = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  const mutation = {
    tenant: shop.tenant,
    actor: operator,
    action: 'order.create',
    resourceType: 'order',
    resourceId: (id: string) => id,
    emits: ['order.created', 'inventory.low_stock'],
  } as const
  const committed = mutate(api.context, mutation, async (work) => {
    const outcome = await createOrder(work, request)
    if (outcome.is !== 'created') throw new Error(outcome.is)
    // Statements are executed in order. When a later statement has returned, the queued statements before it have been
    // executed, too.
    await work.trx.read(nothing, {})
    reached.resolve()
    await latch.promise
    return outcome.order.id
  })
  committed.catch(reached.reject)
  await reached.promise
  return {
    commit: () => {
      latch.resolve()
      return committed
    },
  }
}

/** Runs a function in a transaction that changes the shop's data, with an operator as the actor. */
export function asOperator<Result>(
  api: TestApi,
  shop: Shop,
  run: (work: Work) => Promise<Result> | Result,
): Promise<Result> {
  const mutation = {
    tenant: shop.tenant,
    actor: operator,
    action: 'order.update' as const,
    resourceType: 'test',
    resourceId: () => 'test',
  }
  return mutate(api.context, mutation, async (work) => run(work))
}
