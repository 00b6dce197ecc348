import { defaultRateLimits, type RateLimits } from '../../registry/values/rate-limits.ts'
import type { MerchantId } from '../../registry/values/vocabulary.ts'
import { openFailedAuthentications } from '../access/limits/failed-authentications.ts'
import type { CountProcesses } from '../access/limits/process-count.ts'
import { openRateLimiter } from '../access/limits/rate-limiter.ts'
import type { ReportUses } from '../access/limits/reports.ts'
import { toTimestamp } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { type Meters, noMeters } from '../base/meters.ts'
import type { Vault } from '../base/vault.ts'
import type { LogisticsContext } from '../logistics/carriers/context.ts'
import { openSubscriptions } from '../logistics/tracking/shipment-subscriptions.ts'
import type { Health } from '../management/health.ts'
import { openExportQueues } from '../operations/execute/export-queues.ts'
import { requestLimits as defaultLimits, type RequestLimits } from '../operations/execute/request-limits.ts'
import { openUsedKeys } from '../operations/execute/used-keys.ts'
import { openWriteQueues } from '../operations/execute/write-queues.ts'
import { openOperations } from '../operations/implementations.ts'
import type { PaymentContext } from '../payments/open-key.ts'
import type { Checkout } from '../simulator/checkout.ts'
import { serviceKeys } from '../store/core/keys.ts'
import type { Context } from '../store/core/mutation.ts'
import { shareDatabase } from '../store/core/shared-database.ts'
import type { StandbyReads } from '../store/server/standby-reads.ts'
import { buyerPageRoutes } from './buyer-pages.ts'
import { callbackRoutes } from './callbacks.ts'
import { checkoutRoutes } from './checkout.ts'
import { openAdmission } from './pipeline/admission.ts'
import { createAuthenticate } from './pipeline/authenticate.ts'
import { openClientWaits, type WaitBounds } from './pipeline/client-waits.ts'
import { openHeldResponses } from './pipeline/held-responses.ts'
import type { LoadShedder } from './pipeline/load-shedder.ts'
import { originOf } from './pipeline/origin.ts'
import { openRejectionLog } from './pipeline/rejection-log.ts'
import type { Service } from './pipeline/request.ts'
import { openStreams } from './pipeline/streams.ts'
import { buyerPagePlaces, callbackPlaces, openPlaces } from './places.ts'
import type { RequestLog } from './request-log.ts'

export interface RateOptions {
  /** Undefined for the default limits. */
  readonly limits?: RateLimits | 'off'
  /**
   * Reports the requests of this process to the rate limits that all processes share. Undefined for a process that
   * limits its requests alone.
   */
  readonly report?: ReportUses | undefined
  /** Counts the processes that share the rate limits. Without this function, two processes are assumed. */
  readonly countProcesses?: CountProcesses | undefined
  /** Returns the time of a monotonic clock in milliseconds. Tests replace this function. */
  readonly nowMs?: () => number
}

const monotonicMs = () => performance.now()

/** Opens the parts of request handling: authentication, the cursor keys, the write queues and the subscriptions. */
export async function openService(
  context: Context & {
    readonly vault?: Vault
    readonly logistics?: LogisticsContext
    readonly payments?: PaymentContext | undefined
    /** Undefined in a process without the simulated payment provider. */
    readonly checkout?: Checkout | undefined
    readonly requestLog?: RequestLog | undefined
    readonly health?: Health | undefined
    readonly meters?: Meters | undefined
    readonly rates?: RateOptions | undefined
    /** Undefined if the primary serves all reads. */
    readonly standbyReads?: StandbyReads | undefined
    /** Undefined in a process that rejects no request because of its load. */
    readonly load?: LoadShedder | undefined
    /** Undefined for the default limits. */
    readonly waitBounds?: WaitBounds | undefined
    /** Undefined for the default limits. */
    readonly requestLimits?: RequestLimits | undefined
  },
  log: Log,
  trustedProxies: number,
  publicUrl?: string,
): Promise<Service> {
  const { clock } = context
  const database = shareDatabase(context.database)
  // The keys for cursors and buyer links are read first, because reading them may fail. At this point, nothing is open
  // that would have to be closed after a failure.
  const cursorKeys = await serviceKeys(database, 'cursor', toTimestamp(clock.nowMs()))
  const buyerLinkKeys = await serviceKeys(database, 'buyer_link', toTimestamp(clock.nowMs()))
  const logistics = context.logistics && { ...context.logistics, database }
  const payments = context.payments && { ...context.payments, database }
  const { limits = defaultRateLimits, report, countProcesses, nowMs = monotonicMs } = context.rates ?? {}
  const failures = limits === 'off' ? undefined : openFailedAuthentications(limits.authentication, nowMs)
  const requestLimits = context.requestLimits ?? defaultLimits
  const admission = openAdmission({
    rates: limits === 'off' ? undefined : { limits, limiter: openRateLimiter({ nowMs, report, countProcesses }) },
    load: context.load,
  })
  context.load?.addQueue(database.waitingForPool)
  const clientWaits = openClientWaits(trustedProxies, context.waitBounds)
  const callbackDatabase = database.inOneShare('callbacks')
  const readDb = async (merchantId: MerchantId) => context.standbyReads?.databaseFor(merchantId, database) ?? database
  const onTouchFailed = (error: unknown) =>
    log.warn({ err: error }, 'The time of the last use of a token could not be stored.')
  const places = openPlaces(context.load, buyerPagePlaces)
  const buyerPageParts = { trustedProxies, requestLimits, clientWaits, places }
  return {
    context: { ...context, database },
    readDb,
    authenticate: createAuthenticate({ database, clock, trustedProxies, requestLimits, onTouchFailed, failures }),
    logsRejection: openRejectionLog(nowMs),
    heldResponses: openHeldResponses(),
    requestLimits,
    clientWaits,
    streams: openStreams(log, clientWaits),
    waitingForPool: database.waitingForPool,
    admission,
    admitMember: admission.admitMember,
    trustedProxies,
    originOf: (sent) => publicUrl ?? originOf(sent, trustedProxies),
    cursorKeys,
    buyerLinkKeys,
    log,
    meters: context.meters ?? noMeters,
    requestLog: context.requestLog,
    health: context.health,
    writeQueues: openWriteQueues(requestLimits),
    exports: openExportQueues(),
    usedKeys: openUsedKeys(),
    operationOf: openOperations(),
    checkout: context.checkout,
    logistics,
    payments,
    // The subscriptions read the changes of all merchants at once, so the database limits for a single merchant do not
    // apply to them.
    subscription: openSubscriptions({ database: context.database, log }),
    buyerPageRoutes: [
      ...buyerPageRoutes(buyerPageParts, { clock, keys: buyerLinkKeys, readDb }),
      ...(context.checkout === undefined ? [] : checkoutRoutes(buyerPageParts, context.checkout)),
    ],
    callbackRoutes: callbackRoutes(
      { trustedProxies, clientWaits, requestLimits, places: openPlaces(context.load, callbackPlaces) },
      {
        logistics: logistics && { ...logistics, database: callbackDatabase },
        payments: payments && { ...payments, database: callbackDatabase, log },
      },
    ),
  }
}
