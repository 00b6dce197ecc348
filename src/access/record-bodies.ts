import { lockRecordingEnd, writeRecordingEnd } from '../store/access/recorded-bodies.ts'
import type { Actor } from '../store/core/audit.ts'
import { type Context, mutate, type Tenant } from '../store/core/mutation.ts'

/** `unchanged`: the recording of request bodies was already on or off, as requested. */
export type RecordingOutcome = { readonly is: 'changed' | 'unchanged' }

/**
 * Enables or disables the recording of the bodies of a merchant's rejected requests. Bodies are redacted before they
 * are stored, and the recording ends automatically after one day. All processes apply the change within five seconds,
 * the lifetime of the token cache.
 */
export function recordBodies(context: Context, actor: Actor, tenant: Tenant, isOn: boolean): Promise<RecordingOutcome> {
  const { merchantId: id } = tenant
  const action = isOn ? ('merchant.record_bodies' as const) : ('merchant.stop_recording_bodies' as const)
  const mutation = { tenant, actor, action, resourceType: 'merchant', resourceId: () => id }
  return mutate<RecordingOutcome>(context, mutation, async ({ trx, note, abort }) => {
    const before = await lockRecordingEnd(trx, { id })
    const until = before?.until ?? null
    if (isOn === (until !== null)) return abort({ is: 'unchanged' })
    const [after] = await writeRecordingEnd(trx, { id, isOn })
    note({ recordBodiesUntil: [until, after?.until ?? null] })
    return { is: 'changed' }
  })
}
