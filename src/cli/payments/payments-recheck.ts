import { z } from 'zod'
import { recheckOpenRefunds } from '../../payments/recheck-refunds.ts'
import { command } from '../kit/command.ts'
import { connected } from '../kit/connect.ts'
import { operator } from '../kit/operator.ts'

export const paymentsRecheck = command({
  name: 'payments recheck',
  summary:
    'Mark every open refund, so that the service looks it up at its payment provider before submitting it again. Run this after restoring the database from a backup, before starting the service.',
  options: z.strictObject({}),
  run: () =>
    connected(async (context) => {
      const refunds = await recheckOpenRefunds(context, operator)
      return { json: { refunds }, text: `${refunds} open refunds will be looked up at their payment provider.` }
    }),
})
