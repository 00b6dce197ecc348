import { toMs, toTimestamp } from '../base/clock.ts'
import type { EndpointStateRow } from '../store/webhooks/endpoint-states.ts'
import type { EndpointState } from './reduce.ts'

/** Converts a database row of a webhook endpoint into the endpoint state with which the rules in `reduce.ts` work. */
export function endpointStateOf(row: EndpointStateRow): EndpointState {
  return {
    status: row.status,
    disabledReason: row.disabledReason,
    disabledAtMs: row.disabledAt === null ? null : toMs(row.disabledAt),
    consecutiveFailures: row.consecutiveFailures,
    epoch: row.epoch,
    pacedUntilMs: row.pacedUntil === null ? null : toMs(row.pacedUntil),
    ramp: row.ramp,
  }
}

/** Returns the database row of an endpoint that stores its new state. */
export function endpointRowOf(row: EndpointStateRow, state: EndpointState): EndpointStateRow {
  return {
    ...row,
    status: state.status,
    disabledReason: state.disabledReason,
    disabledAt: state.disabledAtMs === null ? null : toTimestamp(state.disabledAtMs),
    consecutiveFailures: state.consecutiveFailures,
    epoch: state.epoch,
    pacedUntil: state.pacedUntilMs === null ? null : toTimestamp(state.pacedUntilMs),
    ramp: state.ramp,
  }
}
