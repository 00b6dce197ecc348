import { openAllCarriers } from '../app/open-carriers.ts'
import { toTimestamp } from '../base/clock.ts'
import { readConfig } from '../base/config.ts'
import { silentLog } from '../base/log.ts'
import type { VerifyContext } from '../payments/verify-payment.ts'
import type { CommandContext } from './connect.ts'

/** Runs a command's work with the payment providers, including the simulated one of test mode. */
export async function withPayments<Result>(
  context: CommandContext,
  work: (payments: VerifyContext) => Promise<Result>,
): Promise<Result> {
  const { carrierRoots, paystackUrl, testStepSeconds } = readConfig()
  const partners = await openAllCarriers({
    ...{ ...context, log: silentLog, roots: carrierRoots, paystackUrl },
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
