import { z } from 'zod'
import { recheckOpenRefunds } from '../payments/recheck-refunds.ts'
import { command } from './command.ts'
import { connected } from './connect.ts'
import { operator } from './operator.ts'

export const paymentsRecheck = command({
  name: 'payments recheck',
  summary:
    'After restoring the database from a backup: mark every open refund to be looked up at its payment provider before it is submitted again. Run this before starting the service.',
  options: z.strictObject({}),
  run: () =>
    connected(async (context) => {
      const refunds = await recheckOpenRefunds(context, operator)
      return { json: { refunds }, text: `${refunds} open refunds will be looked up at their payment provider.` }
    }),
})
