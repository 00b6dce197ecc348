import { sql } from 'kysely'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { deletingExpired } from './expired-rows.ts'

/** Deletes expired idempotency keys to free space. Queries ignore expired keys already. */
export const expiredKeyDeletion = deletingExpired<{ now: Timestamp }>()({
  label: 'delete_expired_keys',
  table: 'idempotency_keys',
  key: ['route', 'key'],
  age: 'expires_at',
  hasEnded: (p) => sql`expires_at <= ${p.now}::timestamptz`,
  size: 5000,
})
