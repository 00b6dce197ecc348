import { openAllCarriers } from '../../app/open-carriers.ts'
import { toTimestamp } from '../../base/clock.ts'
import { readConfig } from '../../base/config.ts'
import { silentLog } from '../../base/log.ts'
import type { PaymentContext } from '../../payments/open-key.ts'
import type { CommandContext } from '../kit/connect.ts'

/** Runs a command's work with the payment providers, including the simulated one of test mode. */
export async function withPayments<Result>(
  context: CommandContext,
  work: (payments: PaymentContext) => Promise<Result>,
): Promise<Result> {
  const { carrierRoots, paymentProviderUrls, testStepSeconds } = readConfig()
  const partners = await openAllCarriers({
    ...{ ...context, log: silentLog, roots: carrierRoots, paymentProviders: { urls: paymentProviderUrls } },
    now: toTimestamp(context.clock.nowMs()),
    simulation: { stepSeconds: testStepSeconds },
    urlOf: () => undefined,
  })
  try {
    return await work(partners.payments)
  } finally {
    await partners.close()
  }
}
