import { sql } from 'kysely'
import type { Timestamp, UserId } from '../../../registry/values/vocabulary.ts'
import { checking, queueing, writingAny } from '../core/calls.ts'
import { inserting } from '../core/rows.ts'
import { build } from '../core/statement.ts'

interface Device {
  readonly tokenHash: Buffer
  readonly userId: UserId
}

export const isKnownDevice = checking<Device>()('find_known_device', (p) =>
  build
    .selectFrom('known_devices')
    .where('tokenHash', '=', p.tokenHash)
    .where('userId', '=', p.userId)
    .select('userId'),
)

export const insertKnownDevice = inserting('known_devices')

/** Returns false if this is the user's first sign-in with the device. */
export const touchKnownDevice = writingAny<Device & { now: Timestamp }>()(
  'touch_known_device',
  (p) => sql<{ userId: UserId }>`
    update known_devices set last_used_at = ${p.now}::timestamptz
    where token_hash = ${p.tokenHash} and user_id = ${p.userId}
    returning user_id`,
)

export const deleteKnownDevices = queueing<{ userId: UserId }>()('delete_known_devices', (p) =>
  build.deleteFrom('known_devices').where('userId', '=', p.userId),
)
