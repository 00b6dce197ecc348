import { z } from 'zod'
import { connectPaystack } from '../access/connect-paystack.ts'
import { command } from './command.ts'
import { connected } from './connect.ts'
import { CommandFailure, UsageError } from './failure.ts'
import { operator } from './operator.ts'
import { merchantOptions } from './option.ts'
import { tenantOf } from './tenant.ts'

export const paymentsPaystack = command({
  name: 'payments paystack',
  summary: 'Connect a merchant’s Paystack account. Its secret key is read from standard input.',
  options: z.strictObject(merchantOptions),
  run: async (values) => {
    // Not an option: what stands on a command line can be read by every program of the machine, and in its history.
    const secretKey = await readLine()
    return connected(async (context) => {
      const tenant = await tenantOf(context.database, values)
      const outcome = await connectPaystack(context, operator, tenant, secretKey)
      switch (outcome.is) {
        case 'connected': {
          const callbackPath = `/callbacks/paystack/${tenant.merchantId}`
          return {
            json: { provider: 'paystack', keyLastFour: outcome.lastFour, callbackPath, ...tenant },
            text: `Paystack is connected, with the key that ends in ${outcome.lastFour}. Let it call back at ${callbackPath}`,
          }
        }
        case 'not_a_secret_key':
          throw new UsageError('Standard input must hold a secret key of Paystack, which begins with sk_.')
        case 'test_key':
          throw new CommandFailure(
            'With NODE_ENV=production a merchant takes a live key only, which begins with sk_live_: charges of a test key bring no money, and would mark real orders as paid.',
          )
        case 'test_mode':
          throw new CommandFailure('The test side of a merchant is paid and refunds by hand; it needs no provider.')
      }
    })
  },
})

/** A key is far shorter; whatever else is piped in is not read to its end. */
const lineMaxLength = 1_000

async function readLine(): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write('Secret key: ')
  let text = ''
  for await (const chunk of process.stdin) {
    text += String(chunk)
    if (text.includes('\n') || text.length > lineMaxLength) break
  }
  return text.split('\n')[0]?.trim() ?? ''
}
