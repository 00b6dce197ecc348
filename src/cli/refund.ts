import { z } from 'zod'
import { refundStatuses } from '../../registry/refunds/refund-states.ts'
import { OrderId } from '../../registry/values/vocabulary.ts'
import { listRefunds } from '../store/refunds/refunds.ts'
import { command } from './kit/command.ts'
import { connected } from './kit/connect.ts'
import { idOption, limitOption, merchantOptions, option, rowsShown, sinceOf, sinceOption } from './kit/option.ts'
import { table } from './kit/output.ts'
import { tenantOf } from './kit/tenant.ts'

const statusOption = option(z.enum(refundStatuses).optional(), {
  value: 'STATUS',
  meaning: `Lists only refunds with this status: ${refundStatuses.join(', ')}.`,
  must: `must be one of ${refundStatuses.join(', ')}`,
})

export const refundList = command({
  name: 'refund list',
  summary: 'List the refunds of a merchant, newest first.',
  options: z.strictObject({
    ...merchantOptions,
    order: idOption('Returns only refunds of this order.').optional(),
    status: statusOption,
    since: sinceOption('Lists only refunds since this time'),
    limit: limitOption,
  }),
  run: (values) =>
    connected(async ({ database, clock }) => {
      const { merchantId } = await tenantOf(database, values)
      const { status, since } = values
      const orderId = values.order === undefined ? undefined : OrderId.safeParse(values.order).data
      // A malformed order id belongs to no order, so no refunds are listed for it.
      const isUnknown = values.order !== undefined && orderId === undefined
      const filters = {
        orderId,
        status: status && [status],
        createdFrom: since === undefined ? undefined : sinceOf(since, clock.nowMs()),
      }
      const page = { limit: values.limit ?? rowsShown, after: undefined }
      const rows = isUnknown ? [] : await listRefunds(database, merchantId, filters, page)
      return {
        json: rows,
        text: table(
          rows.map((row) => ({ ...row })),
          ['id', 'createdAt', 'orderId', 'amountKobo', 'status', 'reason'],
        ),
      }
    }),
})
