import { describe, test } from 'vitest'
import { z } from 'zod'
import { list, read, write } from '../../registry/kit/endpoint.ts'
import { Order, OrderSummary } from '../../registry/orders/order.ts'
import { orderExample, orderSummaryExample } from '../../registry/orders/order-example.ts'
import { refundExample } from '../../registry/refunds/refund.ts'
import { type MerchantId, OrderId } from '../../registry/values/vocabulary.ts'
import { events } from '../../registry/webhooks/webhooks.ts'
import { createRefund as createRefundVerb } from '../../src/commerce/refunds/create-refund.ts'
import { type AllImplemented, implement } from '../../src/operations/execute/implement.ts'
import { implementations } from '../../src/operations/implementations.ts'
import type { Database } from '../../src/store/core/database.ts'
import type { Work } from '../../src/store/core/mutation.ts'
import { reading, writing } from '../../src/store/core/statement.ts'
import { findOrder } from '../../src/store/orders/orders.ts'

/**
 * Type tests of the binding between contract and code. Nothing in this file is executed. Each line after
 * @ts-expect-error must be a compile error; if the line compiles, the comment itself is an error.
 */

const order = Order.parse(orderExample)
const summary = OrderSummary.parse(orderSummaryExample)
const selectOrders = reading<{ id: string }>()('test', () => todo())
const deleteOrders = writing<{ id: string }>()('test', () => todo())

function todo(): never {
  throw new Error('Types are checked, nothing runs.')
}

describe('the handlers of the operations', () => {
  test('a set of handlers with one for each operation compiles', () => {
    implementations satisfies AllImplemented
    implement('getOrder', async () => order)
    implement('listOrders', async () => [summary])
  })

  test('an operation without a handler does not compile', () => {
    const { getOrder, ...others } = implementations
    // @ts-expect-error getOrder is missing.
    others satisfies AllImplemented
  })

  test('a handler without an operation does not compile', () => {
    // @ts-expect-error there is no operation deleteOrder.
    implement('deleteOrder', async () => order)
    // @ts-expect-error there is no operation deleteOrder.
    ;({ ...implementations, deleteOrder: implementations.getOrder }) satisfies AllImplemented
  })

  test('assigning the handler of one operation to another operation does not compile', () => {
    // @ts-expect-error this is the handler of listRefunds.
    ;({ ...implementations, listOrders: implementations.listRefunds }) satisfies AllImplemented
    // @ts-expect-error getRefund returns a refund too, but is another operation.
    ;({ ...implementations, getOrder: implementations.getRefund }) satisfies AllImplemented
  })
})

describe('the type of a reply', () => {
  test('a handler whose reply lacks a field of the contract does not compile', () => {
    const { totalKobo, ...others } = order
    // @ts-expect-error totalKobo is missing.
    implement('getOrder', async () => others)
  })

  test('a handler whose reply has a field of another type does not compile', () => {
    // @ts-expect-error a total is a number.
    implement('getOrder', async () => ({ ...order, totalKobo: '3250000' }))
    // @ts-expect-error a total is an amount in kobo, not any number.
    implement('getOrder', async () => ({ ...order, totalKobo: 3250000 }))
    // @ts-expect-error lost is not a status of an order.
    implement('getOrder', async () => ({ ...order, status: 'lost' as const }))
  })

  test('a handler must return stored events as serialised text; returning a parsed event does not compile', () => {
    const { createdAt, id } = events['order.created'].envelope.parse({})
    implement('getEvent', async () => ({ id, createdAt, text: '{}' }))
    implement('listEvents', async () => [{ id, createdAt, text: '{}' }])
    // @ts-expect-error serialising a parsed event could change its bytes.
    implement('getEvent', async () => events['order.created'].envelope.parse({}))
  })

  test('a list whose records lack a field of the contract does not compile', () => {
    const { customer, ...others } = summary
    // @ts-expect-error customer is missing.
    implement('listOrders', async () => [others])
  })
})

describe('declared errors of an operation', () => {
  test('a handler does not compile if it returns an error code that its operation does not declare', () => {
    implement('getOrder', async ({ refuse }) => refuse('order_not_found', 'No order.'))
    // @ts-expect-error getOrder does not declare this error code.
    implement('getOrder', async ({ refuse }) => refuse('total_mismatch', 'No.', { expectedKobo: 1, actualKobo: 2 }))
    // @ts-expect-error only the pipeline authenticates.
    implement('getOrder', async ({ refuse }) => refuse('invalid_token', 'No.'))
  })

  test('a handler that returns an error without the details of its code does not compile', () => {
    implement('createRefund', async ({ refuse }) => refuse('refund_exceeds_refundable', 'No.', { refundableKobo: 1 }))
    // @ts-expect-error refundableKobo is missing.
    implement('createRefund', async ({ refuse }) => refuse('refund_exceeds_refundable', 'No.'))
    // @ts-expect-error refundableKobo is a number.
    implement('createRefund', async ({ refuse }) => refuse('refund_exceeds_refundable', 'No.', { refundableKobo: '1' }))
    // @ts-expect-error this code has no details.
    implement('createRefund', async ({ refuse }) => refuse('order_not_paid', 'No.', { paidKobo: 0 }))
  })
})

describe('declared events of an operation', () => {
  const refunded = events['order.refunded'].data.parse({ refund: refundExample, fullyRefunded: false })

  test('a handler that emits an event that its operation does not declare does not compile', () => {
    implement('createRefund', async ({ work }) => {
      work.emit('order.refunded', 'rfd_1', refunded)
      // @ts-expect-error the operation does not declare order.created.
      work.emit('order.created', 'ord_1', todo())
      // @ts-expect-error this event type does not exist.
      work.emit('order.deleted', 'ord_1', todo())
      // @ts-expect-error the data has the type of another event.
      work.emit('order.refunded', 'rfd_1', { order })
      return todo()
    })
  })

  test('passing an operation’s unit of work to a function does not compile if the function emits an event that the operation does not declare', () => {
    type All =
      | 'order.created'
      | 'order.refunded'
      | 'order.status_changed'
      | 'shipment.exception_raised'
      | 'inventory.back_in_stock'
    const create = async (work: Work<'order.created'>, all: Work<All>) => {
      await createRefundVerb(all, todo())
      // @ts-expect-error the called function emits order.refunded, which this operation does not declare.
      await createRefundVerb(work, todo())
    }
    create satisfies unknown
  })
})

describe('read handlers without write access', () => {
  test('a read handler cannot write, because the type of its database has no write functions', () => {
    implement('getOrder', async ({ db }) => {
      await db.read(selectOrders, { id: '' })
      // @ts-expect-error a read database has no write.
      await db.write(deleteOrders, { id: '' })
      // @ts-expect-error a read database does not run a writing statement.
      await db.read(deleteOrders, { id: '' })
      // @ts-expect-error a read database has no pool.
      await db.connect()
      return order
    })
  })

  test('a read handler cannot write, because it gets no unit of work', () => {
    // @ts-expect-error only a write handler has a unit of work.
    implement('getOrder', async ({ work }) => work)
    // @ts-expect-error a write handler has no database besides its transaction.
    implement('createRefund', async ({ db }) => db)
  })
})

test('ids of different record types have different (branded) types', () => {
  const find = async (db: Database, merchantId: MerchantId, id: OrderId, text: string) => {
    await findOrder(db, merchantId, id)
    // @ts-expect-error a string is not an order id.
    await findOrder(db, merchantId, text)
    // @ts-expect-error an order id is not a merchant id.
    await findOrder(db, id, id)
  }
  find satisfies unknown
})

describe('the declaration of an operation', () => {
  const reply = { body: Order, meaning: 'The order.', example: orderExample }
  const described = {
    id: 'getThing',
    tag: 'Orders',
    summary: 'Get it',
    description: 'Gets it.',
    access: 'orders:read',
    reply,
  } as const

  test('the declaration of an operation must describe exactly the placeholders of its path', () => {
    read({ ...described, path: '/things/{id}', params: z.strictObject({ id: OrderId }) })
    read({ ...described, path: '/things' })
    // @ts-expect-error params must describe {id}.
    read({ ...described, path: '/things/{id}' })
    // @ts-expect-error the params describe {orderId}.
    read({ ...described, path: '/things/{id}', params: z.strictObject({ orderId: OrderId }) })
    // @ts-expect-error the path has no placeholder.
    read({ ...described, path: '/things', params: z.strictObject({ id: OrderId }) })
  })

  test('the declaration of an operation can refer only to existing scopes, error codes, events and audit actions', () => {
    // @ts-expect-error this scope does not exist.
    read({ ...described, path: '/things', access: 'things:read' })
    // @ts-expect-error this error code does not exist.
    read({ ...described, path: '/things', refusals: ['thing_not_found'] })
    const audits = { action: 'order.create', resourceType: 'thing' } as const
    const body = { schema: z.strictObject({}), example: {} }
    const writes = { ...described, path: '/things', access: 'orders:write', body, audits } as const
    write({ ...writes, reply: { ...reply, status: 201 }, emits: ['order.created'] })
    // @ts-expect-error this event type does not exist.
    write({ ...writes, reply: { ...reply, status: 201 }, emits: ['thing.created'] })
    const unlisted = { action: 'thing.create', resourceType: 'thing' } as const
    // @ts-expect-error the list of audit actions does not contain this action.
    write({ ...writes, reply: { ...reply, status: 201 }, emits: [], audits: unlisted })
  })

  test('the declaration of a write operation must have a reply with an id', () => {
    const audits = { action: 'order.create', resourceType: 'thing' } as const
    const body = { schema: z.strictObject({}), example: {} }
    const nameless = { status: 201, body: z.object({ name: z.string() }), meaning: 'It.', example: {} } as const
    // @ts-expect-error the audit log needs the id of the record.
    write({ ...described, path: '/things', access: 'orders:write', body, reply: nameless, emits: [], audits })
  })

  test('the declaration of a list operation must require a token', () => {
    const filters = z.strictObject({})
    const lists = {
      ...described,
      path: '/things',
      filters,
      item: OrderSummary,
      pageName: 'Things',
      example: {},
    } as const
    list(lists)
    // @ts-expect-error A public list cannot show a merchant’s records.
    list({ ...lists, access: 'public' })
  })
})

describe('undeclared fields of a reply', () => {
  test('a record in a reply cannot have undeclared fields', () => {
    // @ts-expect-error the contract of an order declares no costKobo.
    implement('getOrder', async () => ({ ...order, costKobo: 1 }))
  })

  test('the records of a list in a reply cannot have undeclared fields', () => {
    // @ts-expect-error the contract of a list of orders declares seven fields, and costKobo is none of them.
    implement('listOrders', async () => [{ ...summary, costKobo: 1 }])
  })
})
