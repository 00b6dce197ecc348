import { webhookFailuresBeforeDisabling } from '../../registry/limits.ts'

export interface EndpointHealth {
  readonly status: 'enabled' | 'disabled'
  readonly consecutiveFailures: number
  readonly epoch: number
}

export type FailureVerdict =
  | { readonly is: 'not_counted' }
  | { readonly is: 'counted'; readonly consecutiveFailures: number }
  | { readonly is: 'disabled'; readonly consecutiveFailures: number }

/**
 * What one failed automatic attempt does to its endpoint. Spec 3 counts failures of the endpoint, not of a delivery.
 * An attempt begun before the endpoint was last enabled or changed says nothing about what it is now.
 */
export function judgeFailure(health: EndpointHealth, attemptEpoch: number): FailureVerdict {
  if (health.status === 'disabled' || attemptEpoch !== health.epoch) return { is: 'not_counted' }
  const consecutiveFailures = health.consecutiveFailures + 1
  if (consecutiveFailures >= webhookFailuresBeforeDisabling) return { is: 'disabled', consecutiveFailures }
  return { is: 'counted', consecutiveFailures }
}
