import { describe, expect, test } from 'vitest'
import { useApi } from '../../support/api.ts'
import { openScene } from '../../support/commerce/refund-replay.ts'
import { asOwner } from '../../support/database.ts'
import { contentsOf } from '../../support/database-contents.ts'

const started = useApi()
const open = () => openScene(started(), true)

describe('a crash of createRefund before the commit', () => {
  const crash = 'create function crash() returns trigger language plpgsql as'
  const die = `${crash} 'begin perform pg_terminate_backend(pg_backend_pid()); return new; end'`
  const fail = `${crash} 'begin raise exception ''crash''; end'`
  const last = 'create constraint trigger crash after insert on audit_log deferrable initially deferred'

  test.for([
    ['the connection breaks with the last insert', die, 'create trigger crash before insert on audit_log', 503],
    ['the connection breaks with the stored reply', die, 'create trigger crash before insert on idempotency_keys', 503],
    ['the connection breaks during the commit', die, last, 503],
    ['the last insert fails', fail, 'create trigger crash before insert on audit_log', 500],
    ['the commit itself fails', fail, last, 500],
  ] as const)('createRefund stores nothing when %s, and the retry succeeds', async ([, reaction, moment, status]) => {
    const { api, refund, count } = await open()
    const before = await contentsOf(api)
    await asOwner(api, reaction)
    await asOwner(api, `${moment} for each row execute function crash()`)
    const crashed = await refund('crashed')
    await asOwner(api, 'drop function crash cascade')
    expect(crashed.status, crashed.text).toBe(status)
    expect(crashed.headers.get('service-should-retry')).toBe('true')
    expect(await contentsOf(api)).toEqual(before)
    const retried = await refund('crashed')
    expect(retried.status).toBe(201)
    expect(retried.headers.get('idempotent-replayed')).toBeNull()
    expect(await count()).toBe(1)
  })
})
