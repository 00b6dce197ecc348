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
  summary: 'Connect a merchant’s Paystack account. Reads the secret key from standard input.',
  options: z.strictObject(merchantOptions),
  run: async (values) => {
    // The secret key comes from standard input: other programs and the shell history can read a command line.
    const secretKey = await readLine()
    return connected(async (context) => {
      const tenant = await tenantOf(context.database, values)
      const outcome = await connectPaystack(context, operator, tenant, secretKey)
      switch (outcome.is) {
        case 'connected': {
          const callbackPath = `/callbacks/paystack/${tenant.merchantId}`
          return {
            json: { provider: 'paystack', keyLastFour: outcome.lastFour, callbackPath, ...tenant },
            text: `Connected Paystack with the key that ends in ${outcome.lastFour}. Set its webhook URL to this service’s origin followed by ${callbackPath}`,
          }
        }
        case 'not_a_secret_key':
          throw new UsageError('Standard input must contain a Paystack secret key, which starts with sk_.')
        case 'test_key':
          throw new CommandFailure(
            'With NODE_ENV=production only live keys (sk_live_) are accepted: test charges move no money but would mark real orders as paid.',
          )
        case 'test_mode':
          throw new CommandFailure('Test mode uses the simulated payment provider; it needs no Paystack account.')
      }
    })
  },
})

/**
 * Maximum length of the input with the secret key. A key is far shorter, and a wrong input must not be read to its end.
 */
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
