import { webhookFailuresBeforeDisabling } from '../../registry/values/limits.ts'

/**
 * Returns a short text about the state of a webhook endpoint: enabled, failing with the number of failures, or disabled
 * with the reason.
 */
export function stateOf(endpoint: {
  readonly status: 'enabled' | 'disabled'
  readonly disabledReason: string | null
  readonly consecutiveFailures: number
}): string {
  const { status, disabledReason, consecutiveFailures } = endpoint
  if (status === 'disabled') {
    // The text about a disabled endpoint states the failure limit and not the current failure count, because a
    // successful replay may have reset the count without enabling the endpoint.
    return disabledReason === 'manual'
      ? 'disabled manually'
      : `disabled after ${webhookFailuresBeforeDisabling} failures`
  }
  if (consecutiveFailures === 0) return 'enabled'
  return `failing ${consecutiveFailures} of ${webhookFailuresBeforeDisabling}`
}
