import { sql } from 'kysely'
import type { MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { finding, lockingFirst, writingAll } from '../core/calls.ts'
import { build } from '../core/statement.ts'

/**
 * The recording of the redacted bodies of rejected requests, which a merchant switches on for one day. The clock of the
 * database decides when it ends.
 */

const endOf = (p: { id: MerchantId }) =>
  build
    .selectFrom('merchants')
    .where('id', '=', p.id)
    .select(sql<Timestamp | null>`case when record_bodies_until > now() then record_bodies_until end`.as('until'))

/** Null if the recording is off. */
export const findRecordingEnd = finding<{ id: MerchantId }>()('recording_end', endOf)

/** Locks a merchant, so that two members do not turn the recording of request bodies on or off at the same time. */
export const lockRecordingEnd = lockingFirst<{ id: MerchantId }>()('lock_recording_end', (p) =>
  endOf(p).forNoKeyUpdate(),
)

/** Starts the recording of request bodies for one day, or ends a recording. */
export const writeRecordingEnd = writingAll<{ id: MerchantId; isOn: boolean }>()('write_recording_end', (p) =>
  build
    .updateTable('merchants')
    .set({ recordBodiesUntil: sql<Timestamp>`case when ${p.isOn}::boolean then now() + interval '1 day' end` })
    .where('id', '=', p.id)
    .returning(sql<Timestamp | null>`record_bodies_until`.as('until')),
)
