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
  // second. Below six, so that an endpoint is never disabled by the deliveries in flight when its receiver goes down.
  sendsPerEndpoint: 4,
  // Four endpoints at full speed. A merchant with many hanging endpoints leaves capacity for other merchants.
  sendsPerMerchant: 16,
  // Allows 1,700 deliveries a second if endpoints respond in 300 ms, and claims and records deliveries in large batches.
  sendsInAll: 512,
}

interface PacedEndpoint {
  /** Includes the failure that the pace follows. */
  readonly consecutiveFailures: number
  /** The end of the pace before that failure. */
  readonly pacedUntilMs: number | null
}

/**
 * Returns the time until which first attempts are delayed after a failure, or null for no delay. The delays of deliveries in
 * flight together add up, as if these had failed one after the other.
 */
export function nextPaceMs(rules: DeliveryRules, endpoint: PacedEndpoint, nowMs: number): number | null {
  const { consecutiveFailures, pacedUntilMs } = endpoint
  const paceMs = rules.pacesMs[Math.min(consecutiveFailures, rules.pacesMs.length) - 1] ?? 0
  const untilMs = Math.max(nowMs, pacedUntilMs ?? nowMs) + paceMs
  return untilMs > nowMs ? untilMs : null
}

/** Returns the delivery rules of this deployment's configuration. */
export function rulesOf({
  webhookPacesSeconds: paces,
}: {
  readonly webhookPacesSeconds: readonly number[]
}): DeliveryRules {
  return { ...standardRules, pacesMs: paces.map((seconds) => seconds * 1000) }
}
