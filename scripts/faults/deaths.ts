import type { PumpPoint } from '../../src/webhooks/pump.ts'

/** The kill points of the rounds: each names the last event before the worker is killed. */
export const deaths = [
  'claim_not_committed',
  'claim_committed',
  'request_arrived',
  'request_answered',
  'success_not_written',
  'result_not_committed',
  'result_committed',
  'any_moment',
] as const

export type Death = (typeof deaths)[number]

/** Returns the kill point of a round. Consecutive rounds have all kill points in turn. */
export function deathOf(round: number): Death {
  const death = deaths[round % deaths.length]
  if (death === undefined) throw new Error('Unknown kill point.')
  return death
}

/**
 * Returns the point in the worker's code at which the worker kills itself. Undefined if a receiver or a timer kills the
 * worker.
 */
export function pointOf(death: Death): PumpPoint | undefined {
  return death === 'request_arrived' || death === 'request_answered' || death === 'any_moment' ? undefined : death
}
