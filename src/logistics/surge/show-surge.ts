import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { toTimestamp } from '../../base/clock.ts'
import { newId } from '../../base/ids.ts'
import type { Actor } from '../../store/core/audit.ts'
import { bookkeep } from '../../store/core/bookkeeping.ts'
import { insertSharedAudit } from '../../store/core/shared-audit.ts'
import { insertSurgeOverride, type SurgeOverride, zonesOfPlace } from '../../store/logistics/surge/surge-overrides.ts'
import type { SurgeContext } from './publish-surge.ts'
import { publicationMs } from './surge-rules.ts'

export type SurgeResult = Omit<SurgeOverride, 'id' | 'actorLabel' | 'createdAt'>

export type ShownSurge =
  | { readonly is: 'place_unknown' }
  | {
      readonly is: 'said'
      readonly override: SurgeOverride
      readonly zoneIds: readonly string[]
      /** When it begins to show: callers were promised the published number until then. */
      readonly publishedAt: Timestamp
    }

/** Stores an operator's freeze, override or clearing of a place's surge, with its row in the shared audit log: no merchant owns a zone. */
export function showSurge({ database, clock }: SurgeContext, actor: Actor, said: SurgeResult): Promise<ShownSurge> {
  return bookkeep(database, async (trx) => {
    const zoneIds = await zonesOfPlace(trx, said)
    if (zoneIds.length === 0) return { is: 'place_unknown' }
    const nowMs = clock.nowMs()
    const override = { ...said, id: newId('sgo', nowMs), actorLabel: actor.label, createdAt: toTimestamp(nowMs) }
    insertSurgeOverride(trx, override)
    insertSharedAudit(trx, {
      id: newId('aud', nowMs),
      occurredAt: override.createdAt,
      actorType: actor.type,
      actorLabel: actor.label,
      action: `surge.${said.kind}`,
      resourceType: said.zoneId === null ? 'city' : 'delivery_zone',
      resourceId: said.zoneId ?? said.city ?? '',
      changes: {
        book: [null, said.book],
        multiplier: [null, said.multiplier],
        expiresAt: [null, said.expiresAt],
        reason: [null, said.reason],
      },
    })
    const publishedAt = toTimestamp((Math.floor(nowMs / publicationMs) + 1) * publicationMs)
    return { is: 'said', override, zoneIds, publishedAt }
  })
}
