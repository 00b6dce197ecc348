import { z } from 'zod'
import { OrderId } from '../../registry/values/vocabulary.ts'
import { listOrderHistory } from '../store/orders/order-history.ts'
import { findOrder } from '../store/orders/orders.ts'
import { command } from './command.ts'
import { connected } from './connect.ts'
import { notFound } from './failure.ts'
import { idOption, merchantOptions } from './option.ts'
import { table } from './output.ts'
import { tenantOf } from './tenant.ts'

export const orderShow = command({
  name: 'order show',
  summary: 'Show an order with its items, and its history with events, deliveries and audit entries, newest first.',
  options: z.strictObject({ ...merchantOptions, order: idOption('The order.') }),
  run: (values) =>
    connected(async ({ database }) => {
      const { merchantId } = await tenantOf(database, values)
      const id = OrderId.safeParse(values.order)
      const order = id.success ? await findOrder(database, merchantId, id.data) : undefined
      if (order === undefined) throw notFound(`order ${values.order}`)
      const history = await listOrderHistory(database, { merchantId, orderId: order.id })
      const entries = history.map(({ at, is, ...details }) => ({ at, is, details }))
      return {
        json: { ...order, history },
        text: [
          table(
            [{ ...order, customer: order.customer.name }],
            ['number', 'status', 'paymentStatus', 'fulfillmentStatus', 'customer', 'totalKobo', 'refundableKobo'],
          ),
          '',
          table(
            order.items.map((item) => ({ ...item })),
            ['title', 'sku', 'quantity', 'unitPriceKobo', 'totalKobo'],
          ),
          '',
          table(entries, ['at', 'is', 'details']),
        ].join('\n'),
      }
    }),
})
