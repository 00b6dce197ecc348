import { z } from 'zod'
import { callbackSecretNameOf, providerDisplayName } from '../../../registry/values/payment-providers.ts'
import { connectProvider } from '../../access/connect-provider.ts'
import type { PaymentAdapter } from '../../partners/payments/provider.ts'
import { paymentAdapters } from '../../partners/payments/providers.ts'
import { type Command, command } from '../kit/command.ts'
import { connected } from '../kit/connect.ts'
import { CommandFailure, UsageError } from '../kit/failure.ts'
import { operator } from '../kit/operator.ts'
import { merchantOptions } from '../kit/option.ts'
import { tenantOf } from '../kit/tenant.ts'

export const providerConnections: readonly Command[] = paymentAdapters.map(connectionWith)

function connectionWith(provider: PaymentAdapter): Command {
  const { name, keyPrefixes } = provider
  const callbackSecretName = callbackSecretNameOf(name)
  const displayName = providerDisplayName(name)
  const input =
    callbackSecretName === undefined
      ? 'the secret key'
      : `the secret key and, on a second line, the ${callbackSecretName}`
  return command({
    name: `payments ${name}`,
    summary: `Connect a merchant’s ${displayName} account. Reads ${input} from standard input.`,
    options: z.strictObject(merchantOptions),
    run: async (values) => {
      // The secrets are read from standard input, because other programs can read a command line and the shell stores
      // it in its history.
      const [secretKey = '', callbackSecret] = await readLines(callbackSecretName === undefined ? 1 : 2)
      return connected(async (context) => {
        const tenant = await tenantOf(context.database, values)
        const outcome = await connectProvider(context, operator, tenant, { provider, secretKey, callbackSecret })
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
          case 'not_a_callback_secret':
            throw new UsageError(
              `The second line of standard input must be the ${callbackSecretName} of ${displayName}’s callbacks: 16 to 200 printable characters without spaces.`,
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
 * Maximum length of the input that contains the secrets of a payment provider. The secrets are far shorter, and an
 * input that contains something else must not be read to its end.
 */
const inputMaxLength = 1_000

async function readLines(count: number): Promise<string[]> {
  if (process.stdin.isTTY)
    process.stderr.write(count === 1 ? 'Secret key: ' : 'Secret key and callback secret, one per line: ')
  let text = ''
  for await (const chunk of process.stdin) {
    text += String(chunk)
    if (text.split('\n').length > count || text.length > inputMaxLength) break
  }
  const lines = text.split('\n').slice(0, count)
  return lines.map((line) => line.trim())
}
