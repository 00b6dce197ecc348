import { webhookFailuresBeforeDisabling } from '../../registry/values/limits.ts'

/** Describes the state of an endpoint: how close it is to being disabled, and why it was disabled. */
export function stateOf(endpoint: {
  readonly status: 'enabled' | 'disabled'
  readonly disabledReason: string | null
  readonly consecutiveFailures: number
}): string {
  const { status, disabledReason, consecutiveFailures } = endpoint
  if (status === 'disabled') {
    // The current count may be lower: a successful replay resets it and leaves the endpoint disabled.
    return disabledReason === 'manual'
      ? 'disabled manually'
      : `disabled after ${webhookFailuresBeforeDisabling} failures`
  }
  if (consecutiveFailures === 0) return 'enabled'
  return `failing ${consecutiveFailures} of ${webhookFailuresBeforeDisabling}`
}
