import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { toTimestamp } from '../../base/clock.ts'
import { newId } from '../../base/ids.ts'
import type { Actor } from '../../store/core/audit.ts'
import { bookkeep } from '../../store/core/bookkeeping.ts'
import { insertSharedAudit } from '../../store/core/shared-audit.ts'
import { insertSurgeOverride, type SurgeOverride, zonesOfPlace } from '../../store/logistics/surge/surge-overrides.ts'
import type { SurgeContext } from './publish-surge.ts'
import { publicationMs } from './surge-rules.ts'

export type SurgeOverrideInput = Omit<SurgeOverride, 'id' | 'actorLabel' | 'createdAt'>

export type OverrideSurgeOutcome =
  | { readonly is: 'place_not_found' }
  | {
      readonly is: 'stored'
      readonly override: SurgeOverride
      readonly zoneIds: readonly string[]
      /** When the operator's override takes effect. Until then, the published multiplier is valid. */
      readonly publishedAt: Timestamp
    }

/**
 * Stores an operator's change of the surge in a zone or city: a freeze, an override, or the end of a freeze or an
 * override. The audit entry goes into the shared audit log, because no merchant owns a zone.
 */
export function overrideSurge(
  { database, clock }: SurgeContext,
  actor: Actor,
  input: SurgeOverrideInput,
): Promise<OverrideSurgeOutcome> {
  return bookkeep(database, async (trx) => {
    const zoneIds = await zonesOfPlace(trx, input)
    if (zoneIds.length === 0) return { is: 'place_not_found' }
    const nowMs = clock.nowMs()
    const override = { ...input, id: newId('sgo', nowMs), actorLabel: actor.label, createdAt: toTimestamp(nowMs) }
    insertSurgeOverride(trx, override)
    insertSharedAudit(trx, {
      id: newId('aud', nowMs),
      occurredAt: override.createdAt,
      actorType: actor.type,
      actorLabel: actor.label,
      sourceIp: actor.sourceIp,
      action: `surge.${input.kind}`,
      resourceType: input.zoneId === null ? 'city' : 'delivery_zone',
      resourceId: input.zoneId ?? input.city ?? '',
      changes: {
        book: [null, input.book],
        multiplier: [null, input.multiplier],
        expiresAt: [null, input.expiresAt],
        reason: [null, input.reason],
      },
    })
    const publishedAt = toTimestamp((Math.floor(nowMs / publicationMs) + 1) * publicationMs)
    return { is: 'stored', override, zoneIds, publishedAt }
  })
}
