import { webhookPacesSeconds } from '../../registry/values/limits.ts'

/** Delivery settings that a deployment can change; spec 3 fixes the rest. */
export interface DeliveryRules {
  /**
   * Delay of first attempts after the first, second … consecutive failure. The last value applies to all later
   * failures.
   */
  readonly pacesMs: readonly number[]
  readonly sendsPerEndpoint: number
  readonly sendsPerMerchant: number
  /** Per process. */
  readonly sendsInAll: number
}

export const standardRules: DeliveryRules = {
  pacesMs: webhookPacesSeconds.map((seconds) => seconds * 1000),
  // Keeps one slow receiver from taking all sockets. At 300 ms per response, four concurrent sends are 13 deliveries a
  // second.
  sendsPerEndpoint: 4,
  // Four endpoints at full speed. A merchant with many hanging endpoints leaves capacity for other merchants.
  sendsPerMerchant: 16,
  // Allows 1,700 deliveries a second if endpoints respond in 300 ms, and claims and records deliveries in large batches.
  sendsInAll: 512,
}

/** Returns the time until which first attempts are delayed, or undefined for no delay. */
export function pacedUntilMs(rules: DeliveryRules, consecutiveFailures: number, nowMs: number): number | undefined {
  const paceMs = rules.pacesMs[Math.min(consecutiveFailures, rules.pacesMs.length) - 1]
  return paceMs === undefined || paceMs === 0 ? undefined : nowMs + paceMs
}

/** Returns the delivery rules of this deployment's configuration. */
export function rulesOf({
  webhookPacesSeconds: paces,
}: {
  readonly webhookPacesSeconds: readonly number[]
}): DeliveryRules {
  return { ...standardRules, pacesMs: paces.map((seconds) => seconds * 1000) }
}
