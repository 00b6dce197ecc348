import { liveAttemptStates } from '../../../registry/logistics/shipment-states.ts'
import type { ShipmentId } from '../../../registry/values/vocabulary.ts'
import { type Actor, systemActor } from '../../store/core/audit.ts'
import { mutate, type Tenant } from '../../store/core/mutation.ts'
import { lockShipment } from '../../store/logistics/shipments/shipments.ts'
import type { StoredAttempt, StoredShipment } from '../../store/tables/shipment.ts'
import type { LogisticsContext } from '../carriers/context.ts'
import type { ShipmentWork } from './move-shipment.ts'

/** A change of one shipment by an actor: the tenant, the actor and the shipment id. */
export interface ShipmentCommand {
  readonly context: LogisticsContext
  readonly tenant: Tenant
  readonly actor: Actor
  readonly id: ShipmentId
}

/** What works on shipments by itself. */
export const dispatcher = systemActor('check_shipments')

export interface LockedShipment {
  readonly shipment: StoredShipment
  readonly attempts: readonly StoredAttempt[]
}

/**
 * One step of a shipment’s life in a transaction of its own, under its lock, with its audit row and its events. A step
 * that finds things otherwise than it was made for gives undefined, and then nothing is written.
 */
export async function changeShipment<Result>(
  { context, tenant, actor, id }: ShipmentCommand,
  action: string,
  run: (work: ShipmentWork, locked: LockedShipment) => Promise<Result | undefined> | Result | undefined,
): Promise<Result | undefined> {
  const mutation = {
    tenant,
    actor,
    action,
    resourceType: 'shipment',
    resourceId: () => id,
    emits: ['shipment.status_changed', 'order.status_changed'],
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

/** The one asking that may bring a rider. */
export function liveAttemptOf<Attempt extends Pick<StoredAttempt, 'state'>>({
  attempts,
}: {
  readonly attempts: readonly Attempt[]
}): Attempt | undefined {
  return attempts.find(({ state }) => liveStates.has(state))
}

const liveStates: ReadonlySet<StoredAttempt['state']> = new Set(liveAttemptStates)
