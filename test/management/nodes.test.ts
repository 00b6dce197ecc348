import { expect, test } from 'vitest'
import { openMetrics } from '../../src/management/metrics/registry.ts'
import { openNodesCheck } from '../../src/management/nodes.ts'
import { openDatabase } from '../../src/store/core/database.ts'
import { answers } from '../support/answers.ts'
import { useApi } from '../support/api.ts'
import { select } from '../support/database-contents.ts'
import { whileLocked } from '../support/database-locks.ts'
import { distributeToOneNode, lostNode } from '../support/distribution.ts'
import { openShop } from '../support/shop.ts'

const started = useApi()

test('the readiness response has no check of database nodes if the database is not distributed', async () => {
  const { database } = started()
  expect(await openNodesCheck({ database, probes: database, onProbed: () => undefined })).toBeUndefined()
})

test('while a database node does not respond, requests of its merchants get 503, and the nodes check and the metrics report the node', async () => {
  const api = started()
  const { database } = api
  const shop = await openShop(api.context)
  await distributeToOneNode(api)
  const { setNodes, scrape } = openMetrics({ role: 'all', version: '1.0.0' })
  const probes = openDatabase({ connectionString: api.connectionString, maxConnections: 1 })
  const check = await openNodesCheck({ database, probes, onProbed: setNodes })
  const orders = () => api.send('GET', '/api/v1/orders', { token: shop.token })

  expect(await check?.run()).toEqual({ is: 'passed' })
  const [{ count }] = await select(api, 'select count(*) from merchants')
  const scraped = (await scrape()).body
  expect(scraped).toContain('commerce_database_node_up{node="one:5432"} 1')
  expect(scraped).toContain(`commerce_database_node_merchants{node="one:5432"} ${count}`)
  expect((await orders()).status).toBe(200)

  await whileLocked(api, lostNode, async () => {
    expect(await check?.run()).toEqual({
      is: 'warned',
      detail: `1 of 1 database nodes do not respond. Unreachable merchants: ${count}.`,
    })
    expect((await scrape()).body).toContain('commerce_database_node_up{node="one:5432"} 0')
    answers('listOrders', 'service_unavailable', await orders())
  })

  expect(await check?.run()).toEqual({ is: 'passed' })
  expect((await orders()).status).toBe(200)
  await probes.close()
})
