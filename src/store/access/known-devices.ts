import { sql } from 'kysely'
import type { Timestamp, UserId } from '../../../registry/values/vocabulary.ts'
import type { ReadDb, WriteTrx } from '../core/database.ts'
import { inserting } from '../core/rows.ts'
import { build, reading, writing } from '../core/statement.ts'

interface Device {
  readonly tokenHash: Buffer
  readonly userId: UserId
}

const find = reading<Device>()('find_known_device', (p) =>
  build
    .selectFrom('known_devices')
    .where('tokenHash', '=', p.tokenHash)
    .where('userId', '=', p.userId)
    .select('userId'),
)

/** Reports whether the user signed in with this device before. */
export async function isKnownDevice(db: ReadDb, device: Device): Promise<boolean> {
  return (await db.read(find, device)).length > 0
}

export const insertKnownDevice = inserting('known_devices')

const touch = writing<Device & { now: Timestamp }>()(
  'touch_known_device',
  (p) => sql<{ userId: UserId }>`
    update known_devices set last_used_at = ${p.now}::timestamptz
    where token_hash = ${p.tokenHash} and user_id = ${p.userId}
    returning user_id`,
)

/** Records a sign-in with a device. Returns false when the user had never signed in with it before. */
export async function touchKnownDevice(trx: WriteTrx, device: Device & { now: Timestamp }): Promise<boolean> {
  return (await trx.write(touch, device)).length > 0
}

const remove = writing<{ userId: UserId }>()('delete_known_devices', (p) =>
  build.deleteFrom('known_devices').where('userId', '=', p.userId),
)

export function deleteKnownDevices(trx: WriteTrx, userId: UserId): void {
  trx.queue(remove, { userId })
}
