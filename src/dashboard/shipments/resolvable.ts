import { isResolvable, type ResolvableCode, resolvableCodes } from '../../logistics/cancellation/resolve-exception.ts'
import type { ReplyOf } from '../kit/call.ts'

/** Returns the codes of the open exceptions that a member can resolve in the current state of the shipment. */
export function resolvableCodesOf({ status, attempts, exceptions }: ReplyOf<'getShipment'>): readonly ResolvableCode[] {
  const open = new Set(exceptions.filter(({ resolvedAt }) => resolvedAt === null).map(({ code }) => code))
  const sent = attempts.map(({ state, outcome }) => ({ state, outcomeCode: outcome?.code ?? null }))
  return resolvableCodes.filter((code) => open.has(code) && isResolvable(code, { status, attempts: sent }))
}
