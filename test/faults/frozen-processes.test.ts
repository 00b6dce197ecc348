import { describe, expect, test } from 'vitest'
import { useApi } from '../support/api.ts'
import { asSuperuser, select } from '../support/database-contents.ts'
import { openShop, placeOrder } from '../support/shop.ts'

const started = useApi()

describe('a process frozen in a transaction', () => {
  test('a process frozen in a transaction holds its database locks only for seconds', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const { id } = await placeOrder(api, shop)
    const frozen = await api.database.pool.connect()
    await frozen.query('begin')
    await frozen.query('select from orders where id = $1 for update', [id])
    await asSuperuser(api, async (client) => {
      // The superuser's database connection has no lock timeout, so its query ends only when the lock is released.
      await client.query('select from orders where id = $1 for update', [id])
    })
    frozen.release(true)
  })

  test('the service’s database connections have server timeouts of at most 15 seconds for idle transactions and dead network connections', async () => {
    const api = started()
    const settings = await select(
      api,
      `select name, setting::integer * case unit when 's' then 1000 when 'ms' then 1 end as ms from pg_settings
       where name in ('idle_in_transaction_session_timeout', 'tcp_keepalives_idle', 'tcp_keepalives_interval') order by name`,
    )
    for (const { name, ms } of settings) {
      expect(ms, name).toBeGreaterThan(0)
      expect(ms, name).toBeLessThanOrEqual(15_000)
    }
    expect(settings).toHaveLength(3)
  })
})

describe('requests while the database server is frozen', () => {
  test('the service responds with 503 to requests while the database server is still frozen', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const { id } = await placeOrder(api, shop)
    const pids = `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
    await asSuperuser(api, async (client) => {
      const frozen = (await client.query<{ pid: number }>(pids)).rows.map(({ pid }) => pid)
      for (const pid of frozen) process.kill(pid, 'SIGSTOP')
      try {
        const refund = { orderId: id, amountKobo: 1, reason: 'damaged' }
        const replies = await Promise.all([
          api.send('GET', `/api/v1/orders/${id}`, { token: shop.token }),
          api.send('POST', '/api/v1/refunds', { token: shop.token, body: refund }),
        ])
        // The database server stays suspended until both responses have arrived. Its own timeouts therefore cannot end
        // the statements.
        for (const { status, text } of replies) expect(status, text).toBe(503)
      } finally {
        for (const pid of frozen) process.kill(pid, 'SIGCONT')
      }
    })
    expect((await api.send('GET', `/api/v1/orders/${id}`, { token: shop.token })).status).toBe(200)
  })
})
