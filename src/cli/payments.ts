import { z } from 'zod'
import { providerDisplayName } from '../../registry/values/payment-providers.ts'
import { connectProvider } from '../access/connect-provider.ts'
import type { PaymentAdapter } from '../partners/payments/provider.ts'
import { paymentAdapters } from '../partners/payments/providers.ts'
import { type Command, command } from './command.ts'
import { connected } from './connect.ts'
import { CommandFailure, UsageError } from './failure.ts'
import { operator } from './operator.ts'
import { merchantOptions } from './option.ts'
import { tenantOf } from './tenant.ts'

/** The commands that connect accounts with the payment providers. */
export const providerConnections: readonly Command[] = paymentAdapters.map(connectionWith)

function connectionWith(provider: PaymentAdapter): Command {
  const { name, keyPrefixes } = provider
  const displayName = providerDisplayName(name)
  return command({
    name: `payments ${name}`,
    summary: `Connect a merchant’s ${displayName} account. Reads the secret key from standard input.`,
    options: z.strictObject(merchantOptions),
    run: async (values) => {
      // The secret key is read from standard input, because other programs and the shell history can read a command
      // line.
      const secretKey = await readLine()
      return connected(async (context) => {
        const tenant = await tenantOf(context.database, values)
        const outcome = await connectProvider(context, operator, tenant, { provider, secretKey })
        switch (outcome.is) {
          case 'connected': {
            const callbackPath = `/callbacks/${name}/${tenant.merchantId}`
            return {
              json: { provider: name, keyLastFour: outcome.lastFour, callbackPath, ...tenant },
              text: `Connected ${displayName} with the key that ends in ${outcome.lastFour}. Set its webhook URL to this service’s origin followed by ${callbackPath}`,
            }
          }
          case 'not_a_secret_key':
            throw new UsageError(
              `Standard input must contain a ${displayName} secret key, which starts with ${keyPrefixes.any}.`,
            )
          case 'test_key':
            throw new CommandFailure(
              `With NODE_ENV=production only live keys (${keyPrefixes.live}) are accepted: test charges move no money but would mark real orders as paid.`,
            )
          case 'test_mode':
            throw new CommandFailure(
              `Test mode uses the simulated payment provider; it needs no ${displayName} account.`,
            )
        }
      })
    },
  })
}

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
