import type { Timestamp } from '../../../registry/vocabulary.ts'
import { toTimestamp } from '../../clock.ts'
import { newId } from '../../ids.ts'
import type { Actor } from '../../store/audit.ts'
import { bookkeep } from '../../store/bookkeeping.ts'
import { insertSurgeOverride, type SurgeOverride, zonesOfPlace } from '../../store/surge-overrides.ts'
import type { SurgeContext } from './publish-surge.ts'
import { publicationMs } from './surge-rules.ts'

export type Said = Omit<SurgeOverride, 'id' | 'actorLabel' | 'createdAt'>

export type SurgeSaid =
  | { readonly is: 'place_unknown' }
  | {
      readonly is: 'said'
      readonly override: SurgeOverride
      readonly zoneIds: readonly string[]
      /** When it begins to show: callers were promised the published number until then. */
      readonly publishedAt: Timestamp
    }

/** Writes down what an operator says of a place’s surge. The row is its own audit: no merchant owns a zone. */
export function saySurge({ database, clock }: SurgeContext, actor: Actor, said: Said): Promise<SurgeSaid> {
  return bookkeep(database, async (trx) => {
    const zoneIds = await zonesOfPlace(trx, said)
    if (zoneIds.length === 0) return { is: 'place_unknown' }
    const nowMs = clock.nowMs()
    const override = { ...said, id: newId('sgo', nowMs), actorLabel: actor.label, createdAt: toTimestamp(nowMs) }
    insertSurgeOverride(trx, override)
    const publishedAt = toTimestamp((Math.floor(nowMs / publicationMs) + 1) * publicationMs)
    return { is: 'said', override, zoneIds, publishedAt }
  })
}
