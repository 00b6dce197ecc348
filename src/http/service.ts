import { toTimestamp } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { type Meters, noMeters } from '../base/meters.ts'
import type { Vault } from '../base/vault.ts'
import type { LogisticsContext } from '../logistics/carriers/context.ts'
import { openSubscriptions } from '../logistics/tracking/shipment-subscriptions.ts'
import type { Health } from '../management/health.ts'
import type { VerifyContext } from '../payments/verify-payment.ts'
import { serviceKeys } from '../store/core/keys.ts'
import type { Context } from '../store/core/mutation.ts'
import { shareDatabase } from '../store/core/shared-database.ts'
import { createAnswerCallback } from './callbacks.ts'
import { createAnswerCarrierCallback } from './carrier-callbacks.ts'
import { createAuthenticate } from './pipeline/authenticate.ts'
import { originOf } from './pipeline/origin.ts'
import type { Service } from './pipeline/request.ts'
import { openWriteQueues } from './pipeline/write-queues.ts'
import type { RequestLog } from './request-log.ts'

/** Opens what request handling needs: authentication, the cursor keys, the write queues and the subscriptions. */
export async function openService(
  context: Context & {
    readonly vault?: Vault
    readonly logistics?: LogisticsContext
    readonly payments?: VerifyContext | undefined
    readonly requestLog?: RequestLog | undefined
    readonly health?: Health | undefined
    readonly meters?: Meters | undefined
  },
  log: Log,
  trustedProxies: number,
  publicUrl?: string,
): Promise<Service> {
  const { clock, vault } = context
  const database = shareDatabase(context.database)
  const logistics = context.logistics && { ...context.logistics, database }
  const payments = context.payments && { ...context.payments, database }
  const onTouchFailed = (error: unknown) => log.warn({ err: error }, 'The last use of a token could not be stored.')
  return {
    context: { ...context, database },
    authenticate: createAuthenticate({ database, clock, trustedProxies, onTouchFailed }),
    originOf: (sent) => publicUrl ?? originOf(sent, trustedProxies),
    cursorKeys: await serviceKeys(database, 'cursor', toTimestamp(clock.nowMs())),
    log,
    meters: context.meters ?? noMeters,
    requestLog: context.requestLog,
    health: context.health,
    writeQueues: openWriteQueues(),
    logistics,
    payments,
    // Reads for all merchants at once, so it bypasses the per-merchant limits of the shared database.
    subscription: openSubscriptions({ database: context.database, log }),
    answerCarrierCallback: logistics && createAnswerCarrierCallback(logistics, trustedProxies),
    answerCallback:
      vault &&
      createAnswerCallback({ ...context, database, vault, log, testPayments: payments?.testPayments }, trustedProxies),
  }
}
