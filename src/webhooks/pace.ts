import { webhookPacesSeconds } from '../../registry/values/limits.ts'

/** Delivery settings that a deployment can change. Spec 3 fixes all other settings. */
export interface DeliveryRules {
  /**
   * Delays in milliseconds between new deliveries (first attempts) to a failing endpoint, after its first, second, …
   * consecutive failure. The last value applies to all further failures.
   */
  readonly pacesMs: readonly number[]
  readonly sendsPerEndpoint: number
  readonly sendsPerMerchant: number
  /** Maximum number of concurrent sends of this process. */
  readonly sendsInAll: number
}

export const standardRules: DeliveryRules = {
  pacesMs: webhookPacesSeconds.map((seconds) => seconds * 1000),
  // Maximum concurrent sends to one endpoint. The maximum prevents one slow receiver from taking all sockets. At 300 ms
  // per response, four concurrent sends are 13 deliveries a second. Six consecutive failures disable an endpoint. The
  // maximum is lower than six, so that an endpoint is not disabled by the deliveries in flight at the moment when its
  // receiver goes down.
  sendsPerEndpoint: 4,
  // Maximum concurrent sends of one merchant: four endpoints at full speed. A merchant with many hanging endpoints
  // leaves capacity for other merchants.
  sendsPerMerchant: 16,
  // Maximum concurrent sends to all endpoints together. With this maximum, 1,700 deliveries a second are possible if
  // endpoints respond in 300 ms. It also allows large batches of claimed deliveries and of recorded results.
  sendsInAll: 512,
}

interface PacedEndpoint {
  /** Number of consecutive failures of the endpoint, including the failure that causes the delay. */
  readonly consecutiveFailures: number
  /**
   * End of the delay of first attempts that was in effect before the latest failure. Null if first attempts were not
   * delayed.
   */
  readonly pacedUntilMs: number | null
}

/**
 * Returns the time until which first attempts are delayed after a failure. Null for no delay. If several deliveries in
 * flight fail, their delays are added up, as if these deliveries had failed one after another.
 */
export function nextPaceMs(rules: DeliveryRules, endpoint: PacedEndpoint, nowMs: number): number | null {
  const { consecutiveFailures, pacedUntilMs } = endpoint
  const paceMs = rules.pacesMs[Math.min(consecutiveFailures, rules.pacesMs.length) - 1] ?? 0
  const untilMs = Math.max(nowMs, pacedUntilMs ?? nowMs) + paceMs
  return untilMs > nowMs ? untilMs : null
}

export function rulesOf({
  webhookPacesSeconds: paces,
}: {
  readonly webhookPacesSeconds: readonly number[]
}): DeliveryRules {
  return { ...standardRules, pacesMs: paces.map((seconds) => seconds * 1000) }
}
