import { z } from 'zod'
import { recheckOpenRefunds } from '../payments/recheck-refunds.ts'
import { command } from './command.ts'
import { connected } from './connect.ts'
import { operator } from './operator.ts'

export const paymentsRecheck = command({
  name: 'payments recheck',
  summary:
    'After restoring the database from a backup: search the payment provider for every open refund before any is submitted again. Run it before the service starts.',
  options: z.strictObject({}),
  run: () =>
    connected(async (context) => {
      const refunds = await recheckOpenRefunds(context, operator)
      return { json: { refunds }, text: `${refunds} open refunds will be searched at their provider.` }
    }),
})
