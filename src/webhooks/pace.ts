import { webhookPacesSeconds } from '../../registry/values/limits.ts'

/** What a deployment decides about delivering; spec 3 fixes the rest. */
export interface DeliveryRules {
  /** How long first attempts wait after the first, second … failure in a row; the last one holds from there on. */
  readonly pacesMs: readonly number[]
  readonly sendsPerEndpoint: number
  readonly sendsPerMerchant: number
  /** In one process. */
  readonly sendsInAll: number
}

export const standardRules: DeliveryRules = {
  pacesMs: webhookPacesSeconds.map((seconds) => seconds * 1000),
  // One slow receiver must not take all sockets; at 300 ms an answer, four at a time are still 13 deliveries a second.
  sendsPerEndpoint: 4,
  // Four endpoints at full speed: a merchant with many that hang leaves room for everybody else.
  sendsPerMerchant: 16,
  // At 300 ms an answer 1,700 deliveries a second, and lots large enough to share what a claim and a commit cost.
  sendsInAll: 512,
}

/** Until when first attempts wait; undefined when they need not. */
export function pacedUntilMs(rules: DeliveryRules, consecutiveFailures: number, nowMs: number): number | undefined {
  const paceMs = rules.pacesMs[Math.min(consecutiveFailures, rules.pacesMs.length) - 1]
  return paceMs === undefined || paceMs === 0 ? undefined : nowMs + paceMs
}

/** The rules of this deployment. */
export function rulesOf({
  webhookPacesSeconds: paces,
}: {
  readonly webhookPacesSeconds: readonly number[]
}): DeliveryRules {
  return { ...standardRules, pacesMs: paces.map((seconds) => seconds * 1000) }
}
