import type { Log } from '../log.ts'
import type { Carriers } from '../partners/carriers/carrier.ts'
import type { Context } from '../store/mutation.ts'
import type { Vault } from '../vault.ts'
import { type Breakers, openBreakers } from './breakers.ts'

/** What it takes to speak with carriers and to write down what came of it. */
export interface LogisticsContext extends Context {
  readonly log: Log
  readonly vault: Vault
  readonly carriers: Carriers
  readonly breakers: Breakers
}

export function openLogistics(context: Omit<LogisticsContext, 'breakers'>): LogisticsContext {
  return { ...context, breakers: openBreakers() }
}
