import { describe, expect } from 'vitest'
import { useEveryOperation } from '../support/contract/every-operation.ts'
import { asOwner } from '../support/database.ts'
import { asSuperuser, contentsOf } from '../support/database-contents.ts'
import { whileLocked } from '../support/database-locks.ts'
import { mintToken } from '../support/shop.ts'

/** Tests, for every operation in the registry, the errors that a fault of the database causes. */

const { started, shop, everyOperation, everyOperationAtOnce } = useEveryOperation()

describe('409 concurrent_update', () => {
  everyOperationAtOnce(
    'concurrent_update',
    'every write returns 409 concurrent_update after waiting for a lock',
    async (ask) => {
      const api = started()
      const before = await contentsOf(api)
      await whileLocked(api, { text: 'lock table audit_log in share row exclusive mode' }, ask)
      expect(await contentsOf(api)).toEqual(before)
    },
  )
})

describe('503 service_unavailable', () => {
  everyOperationAtOnce(
    'service_unavailable',
    'every operation returns 503 service_unavailable while the database is unavailable',
    async (ask) => {
      const api = started()
      await asSuperuser(api, async (client) => {
        const name = client.escapeIdentifier(String(client.database))
        await client.query(`alter database ${name} connection limit 0`)
        await client.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
          [client.database],
        )
        try {
          await ask()
        } finally {
          await client.query(`alter database ${name} connection limit -1`)
        }
      })
      expect((await api.send('GET', '/api/v1/orders', { token: shop().token })).status).toBe(200)
    },
  )
})

describe('500 internal_error', () => {
  everyOperation('internal_error', 'returns a 500 response without any detail of the fault', async (of) => {
    const api = started()
    const { token } = await mintToken(api.context, shop().tenant, {})
    await asOwner(api, 'alter table api_tokens rename to api_tokens_gone')
    try {
      const reply = await of.send({ token })
      expect(reply.text).not.toMatch(/api_tokens|relation|\bat .*\.ts|node_modules/)
      return reply
    } finally {
      await asOwner(api, 'alter table api_tokens_gone rename to api_tokens')
    }
  })
})

describe('503 outcome_unknown', () => {
  everyOperation(
    'outcome_unknown',
    'returns 503 outcome_unknown when the database connection breaks during the commit',
    async (of) => {
      const api = started()
      await asOwner(
        api,
        `create function crash() returns trigger language plpgsql as
        'begin perform pg_terminate_backend(pg_backend_pid()); return new; end'`,
      )
      const trigger = 'create constraint trigger crash after insert on audit_log deferrable initially deferred'
      await asOwner(api, `${trigger} for each row execute function crash()`)
      const reply = await of.send({ token: of.shop.token })
      await asOwner(api, 'drop function crash cascade')
      return reply
    },
  )
})
