import type { Timestamp } from '../../registry/values/vocabulary.ts'
import { toMs } from '../base/clock.ts'
import type { ReadDb } from '../store/core/database.ts'
import type { EndpointKey } from '../store/webhooks/endpoints.ts'
import { listRecentHistory } from '../store/webhooks/recent-history.ts'
import { explainEndpoint, type Step } from '../webhooks/explain.ts'
import { standardRules } from '../webhooks/pace.ts'

interface ExplainedEndpoint extends EndpointKey {
  readonly status: 'enabled' | 'disabled'
  readonly consecutiveFailures: number
  readonly disabledAt: Timestamp | null
}

export interface Explanation {
  /** The delivery attempts and changes that explain the state of the endpoint, oldest first. */
  readonly steps: readonly Step[]
  /**
   * Whether the listed attempts and changes fully explain the endpoint's current state. If not, earlier delivery
   * attempts also affected the state.
   */
  readonly isComplete: boolean
}

/** Maximum time for which a delivery attempt can still be in progress after its endpoint was disabled. */
const afterDisablingMs = 60_000

export async function explainState(
  database: ReadDb,
  { status, consecutiveFailures, disabledAt, merchantId, endpointId }: ExplainedEndpoint,
  nowMs: number,
): Promise<Explanation> {
  const untilMs = disabledAt === null ? nowMs : Math.min(nowMs, toMs(disabledAt) + afterDisablingMs)
  const history = await listRecentHistory(database, { merchantId, endpointId }, untilMs)
  // The explanation uses the standard rules for disabling endpoints. These rules are the same in every deployment. A
  // deployment can change only the delays of deliveries to a failing endpoint, and these delays affect neither the
  // failure count nor the status.
  const steps = explainEndpoint(standardRules, history)
  const last = steps.at(-1)
  return { steps, isComplete: last?.status === status && last.consecutiveFailures === consecutiveFailures }
}
