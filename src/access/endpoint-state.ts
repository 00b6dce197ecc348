import { webhookFailuresBeforeDisabling } from '../../registry/values/limits.ts'

/** How an endpoint is doing, in the words a merchant reads: how far it is from being disabled, and why it was. */
export function stateOf(endpoint: {
  readonly status: 'enabled' | 'disabled'
  readonly disabledReason: string | null
  readonly consecutiveFailures: number
}): string {
  const { status, disabledReason, consecutiveFailures } = endpoint
  if (status === 'disabled') {
    return disabledReason === 'manual' ? 'disabled by hand' : `disabled after ${consecutiveFailures} failures`
  }
  if (consecutiveFailures === 0) return 'enabled'
  return `failing ${consecutiveFailures} of ${webhookFailuresBeforeDisabling}`
}
