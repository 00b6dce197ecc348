import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import type { Log } from '../../base/log.ts'
import type { Meters } from '../../base/meters.ts'
import type { Vault } from '../../base/vault.ts'
import type { CarrierAccount, CarrierCode, Carriers } from '../../partners/carriers/carrier.ts'
import type { Context } from '../../store/core/mutation.ts'
import { type Breakers, openBreakers } from './breakers.ts'

/** Dependencies of requests to carriers, and of recording the outcomes of the requests. */
export interface LogisticsContext extends Context {
  readonly log: Log
  readonly vault: Vault
  readonly carriers: Carriers
  readonly breakers: Breakers
  readonly timeouts: CarrierTimeouts
  /**
   * Whether the process is stopping. If so, a dispatch requests no further carrier, and a worker continues it later.
   */
  readonly isStopping?: () => boolean
  /** Test hook. It runs between a change and its commit, or after the commit. */
  readonly reach?: (action: string, moment: 'written' | 'committed') => Promise<void>
  /** Returns the account of a merchant at a simulated carrier, with its callback URL. */
  readonly testAccountOf?: (merchantId: MerchantId, carrier: CarrierCode) => CarrierAccount
}

export interface CarrierTimeouts {
  /**
   * Timeout of the quote request to one carrier. The quote requests to several carriers run at the same time, and all
   * of them must end within one and a half times this timeout.
   */
  readonly quoteMs: number
  readonly createMs: number
  readonly readMs: number
  readonly cancelMs: number
}

/**
 * Default timeouts of carrier requests. A person waits for a quote, so a slow carrier is left out. A dispatch request
 * has a longer timeout, because after a timeout the service must search for the carrier's order. Polls run in the
 * background, and cancellations may take a moment.
 */
const timeouts: CarrierTimeouts = { quoteMs: 4_000, createMs: 8_000, readMs: 8_000, cancelMs: 8_000 }

/**
 * Returns the dependencies for carrier requests, with new circuit breakers, and with the default timeouts unless others
 * are given.
 */
export function openLogistics(
  context: Omit<LogisticsContext, 'breakers' | 'timeouts'> & {
    readonly timeouts?: CarrierTimeouts
    readonly meters?: Meters | undefined
  },
): LogisticsContext {
  return { timeouts, ...context, breakers: openBreakers(context.clock, context.meters) }
}
