import { z } from 'zod'
import { pageSize } from '../../registry/values/limits.ts'
import { OrderId } from '../../registry/values/vocabulary.ts'
import { listOrderHistory } from '../store/orders/order-history.ts'
import { findOrder } from '../store/orders/orders.ts'
import { listPayments } from '../store/orders/payments.ts'
import { listRefunds } from '../store/refunds/refunds.ts'
import { command } from './kit/command.ts'
import { connected } from './kit/connect.ts'
import { notFound } from './kit/failure.ts'
import { idOption, merchantOptions } from './kit/option.ts'
import { table } from './kit/output.ts'
import { tenantOf } from './kit/tenant.ts'

/**
 * Page size for the payments and refunds of an order. An order never has more payments or refunds than fit on one page,
 * so the command reads a single page.
 */
const page = { limit: pageSize.max, after: undefined }

export const orderShow = command({
  name: 'order show',
  summary:
    'Show an order with its items, payments and refunds, and its history with events, deliveries and audit entries, newest first.',
  options: z.strictObject({ ...merchantOptions, order: idOption('The order.') }),
  run: (values) =>
    connected(async ({ database }) => {
      const { merchantId } = await tenantOf(database, values)
      const id = OrderId.safeParse(values.order)
      const order = id.success ? await findOrder(database, merchantId, id.data) : undefined
      if (order === undefined) throw notFound(`order ${values.order}`)
      const orderId = order.id
      const [payments, refunds, history] = await Promise.all([
        listPayments(database, merchantId, { orderId }, page),
        listRefunds(database, merchantId, { orderId }, page),
        listOrderHistory(database, { merchantId, orderId }),
      ])
      const entries = history.map(({ at, is, ...details }) => ({ at, is, details }))
      return {
        json: { ...order, payments, refunds, history },
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
          table(
            payments.map((payment) => ({ ...payment })),
            ['id', 'paidAt', 'amountKobo', 'method', 'reference', 'disputedAt'],
          ),
          '',
          table(
            refunds.map((refund) => ({ ...refund })),
            ['id', 'createdAt', 'amountKobo', 'status', 'reason'],
          ),
          '',
          table(entries, ['at', 'is', 'details']),
        ].join('\n'),
      }
    }),
})
