import { toMs, toTimestamp } from '../base/clock.ts'
import type { EndpointStateRow } from '../store/webhooks/endpoint-states.ts'
import type { EndpointState } from './reduce.ts'

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
