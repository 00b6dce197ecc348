import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import type { Log } from '../../base/log.ts'
import type { Vault } from '../../base/vault.ts'
import type { CarrierAccount, CarrierCode, Carriers } from '../../partners/carriers/carrier.ts'
import type { Context } from '../../store/core/mutation.ts'
import { type Breakers, openBreakers } from './breakers.ts'

/** What it takes to speak with carriers and to write down what came of it. */
export interface LogisticsContext extends Context {
  readonly log: Log
  readonly vault: Vault
  readonly carriers: Carriers
  readonly breakers: Breakers
  readonly patience: Patience
  /** For tests that end the process at a chosen point: between a change and its commit, or behind it. */
  readonly reach?: (action: string, moment: 'written' | 'committed') => Promise<void>
  /** Where the companies of test mode call back, for whom they do. */
  readonly testAccountOf?: (merchantId: MerchantId, carrier: CarrierCode) => CarrierAccount
}

/** How long each kind of call to a carrier may take. */
export interface Patience {
  /** For each carrier; all together have half as long again. */
  readonly quoteMs: number
  readonly createMs: number
  readonly readMs: number
  readonly cancelMs: number
}

/**
 * A quote is waited for by a person, so a slow carrier is left out. Asking for a rider is waited for longer, because an
 * answer that comes too late has to be searched for. Reading and cancelling are waited for by nobody, or by a person who
 * knows that it takes a moment.
 */
const patience: Patience = { quoteMs: 4_000, createMs: 8_000, readMs: 8_000, cancelMs: 8_000 }

export function openLogistics(
  context: Omit<LogisticsContext, 'breakers' | 'patience'> & { readonly patience?: Patience },
): LogisticsContext {
  return { patience, ...context, breakers: openBreakers(context.clock) }
}
