import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { locking, reading, searching } from '../../src/store/core/statement.ts'

/**
 * The SQL of a statement shows whether the statement reads, locks or writes. The service therefore checks the SQL when
 * the module that declares the statement loads.
 */

const changes = [
  'insert into orders (id) values (1)',
  'with gone as (delete from orders returning id) select id from gone for update',
  'update orders as o set id = 1 for update',
  "select pg_notify('channel', 'payload') for update",
]

test.each(changes)('an SQL statement that writes cannot be declared as a read or as a lock: %s', (text) => {
  expect(() => reading<object>()('changes', () => sql.raw(text))).toThrow('changes does more than read.')
  expect(() => searching<object>()('changes', () => sql.raw(text))).toThrow('changes does more than read.')
  expect(() => locking<object>()('changes', () => sql.raw(text))).toThrow('changes does more than lock.')
})

test('an SQL statement declared as a read locks no row, and an SQL statement declared as a lock locks a row', () => {
  const held = 'select id from orders for no key update'
  expect(() => reading<object>()('held', () => sql.raw(held))).toThrow('held does more than read.')
  expect(locking<object>()('held', () => sql.raw(held)).effect).toBe('locks')
  const read = 'select id, updated_at from orders'
  expect(() => locking<object>()('read', () => sql.raw(read))).toThrow('read does more than lock.')
  expect(reading<object>()('read', () => sql.raw(read)).effect).toBe('reads')
})
