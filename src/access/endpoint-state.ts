import { webhookFailuresBeforeDisabling } from '../../registry/values/limits.ts'

/** Describes the state of a webhook endpoint: how close it is to being disabled, and why it was disabled. */
export function stateOf(endpoint: {
  readonly status: 'enabled' | 'disabled'
  readonly disabledReason: string | null
  readonly consecutiveFailures: number
}): string {
  const { status, disabledReason, consecutiveFailures } = endpoint
  if (status === 'disabled') {
    // Names the failure limit and not the current count: a successful replay resets the count without enabling the
    // endpoint.
    return disabledReason === 'manual'
      ? 'disabled manually'
      : `disabled after ${webhookFailuresBeforeDisabling} failures`
  }
  if (consecutiveFailures === 0) return 'enabled'
  return `failing ${consecutiveFailures} of ${webhookFailuresBeforeDisabling}`
}
