import { shipmentEvents } from '../../../registry/kit/event.ts'
import { liveAttemptStates } from '../../../registry/logistics/shipment-states.ts'
import type { AuditAction } from '../../../registry/values/audit-actions.ts'
import type { ShipmentId } from '../../../registry/values/vocabulary.ts'
import { type Actor, systemActor } from '../../store/core/audit.ts'
import { mutate, type Tenant } from '../../store/core/mutation.ts'
import { lockShipment } from '../../store/logistics/shipments/shipments.ts'
import type { StoredAttempt, StoredShipment } from '../../store/tables/shipment.ts'
import type { LogisticsContext } from '../carriers/context.ts'
import type { ShipmentWork } from './shipment-work.ts'

export interface ShipmentCommand {
  readonly context: LogisticsContext
  readonly tenant: Tenant
  readonly actor: Actor
  readonly id: ShipmentId
}

/** The actor that the audit log shows for background work on shipments. */
export const dispatcher = systemActor('check_shipments')

export interface LockedShipment {
  readonly shipment: StoredShipment
  readonly attempts: readonly StoredAttempt[]
}

/**
 * Changes a shipment in a transaction of its own, under its lock, with an audit entry and events. If the shipment does
 * not have the state that the change requires, `run` returns undefined. Nothing is then written, and the result is
 * undefined.
 */
export async function changeShipment<Result>(
  { context, tenant, actor, id }: ShipmentCommand,
  action: AuditAction,
  run: (work: ShipmentWork, locked: LockedShipment) => Promise<Result | undefined> | Result | undefined,
): Promise<Result | undefined> {
  const mutation = {
    tenant,
    actor,
    action,
    resourceType: 'shipment',
    resourceId: () => id,
    emits: shipmentEvents,
  } as const
  const changed = await mutate(context, mutation, async (work: ShipmentWork): Promise<Result | undefined> => {
    const locked = await lockShipment(work.trx, { merchantId: tenant.merchantId, id })
    const result = locked && (await run(work, locked))
    if (result === undefined) return work.abort(undefined)
    await context.reach?.(action, 'written')
    return result
  })
  if (changed === undefined) return undefined
  await context.reach?.(action, 'committed')
  return changed
}

/** A shipment has at most one live attempt. */
export function liveAttemptOf<Attempt extends Pick<StoredAttempt, 'state'>>({
  attempts,
}: {
  readonly attempts: readonly Attempt[]
}): Attempt | undefined {
  return attempts.find(({ state }) => liveStates.has(state))
}

const liveStates: ReadonlySet<StoredAttempt['state']> = new Set(liveAttemptStates)
