import { expect, onTestFinished, test } from 'vitest'
import { contextOf } from '../../../scripts/faults/merchants.ts'
import { startFleet } from '../../../scripts/faults/rolling/fleet.ts'
import { startLoad } from '../../../scripts/faults/rolling/load.ts'
import { startServiceProcess } from '../../../scripts/faults/service-process.ts'
import { useDatabase } from '../../support/database.ts'
import { openRoundRobinProxy } from '../../support/round-robin-proxy.ts'
import { openShop } from '../../support/shop.ts'
import { waitFor, waitUntil } from '../../support/wait-for.ts'

const opened = useDatabase()

/** A longer timeout: each test starts processes while other tests run. */
const processesMs = 180_000

test('a rolling restart of two processes under keep-alive load fails no request, with and without a proxy', {
  timeout: processesMs,
}, async () => {
  const { database, connectionString } = opened()
  const { token } = await openShop(contextOf(database))
  // The proxy checks the readiness of the processes ten times a second, so a stopping process needs to wait only a
  // short time.
  const fleet = await startFleet({ connectionString, size: 2, settings: { DRAIN_SECONDS: '1' } })
  onTestFinished(() => fleet.kill())
  const proxy = await openRoundRobinProxy(fleet.urls)
  onTestFinished(proxy.close)
  for (const url of fleet.urls) await proxy.untilReady(url)
  const [first = ''] = fleet.urls
  const throughProxy = startLoad({ url: proxy.url, token, clients: 10 })
  const direct = startLoad({ url: first, token, clients: 1, waitsForListener: true })
  for (const [index, url] of fleet.urls.entries()) {
    const before = throughProxy.completed()
    await fleet.restart(index)
    await proxy.untilReady(url)
    expect(throughProxy.completed()).toBeGreaterThan(before)
  }
  await waitUntil(() => direct.completed() > 0 && throughProxy.completed() > 0)
  expect([...(await throughProxy.stop()), ...(await direct.stop())]).toEqual([])
})

test('during DRAIN_SECONDS, a stopping process is live but not ready, accepts new connections, and still reads from its standby databases', {
  timeout: processesMs,
}, async () => {
  const { connectionString } = opened()
  // The test configures the primary as its own standby. The service sends no reads to this standby, but still measures
  // its replay delay.
  const standby = new URL(connectionString)
  standby.searchParams.set('application_name', 'standby')
  const settings = { RUN: 'api', DRAIN_SECONDS: '300', DATABASE_READ_URL: standby.href }
  const service = await startServiceProcess(connectionString, settings)
  onTestFinished(() => service.kill('SIGKILL'))
  for (const url of [service.url, service.managementUrl]) {
    await waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200), { timeout: 60_000 })
  }
  service.kill('SIGTERM')
  for (const url of [service.url, service.managementUrl]) {
    await waitFor(async () => {
      const response = await fetch(`${url}/readyz`)
      expect(response.status).toBe(503)
      expect(await response.json()).toMatchObject({
        checks: expect.arrayContaining([{ name: 'process', status: 'failed', detail: 'The process is stopping.' }]),
      })
    })
    expect((await fetch(`${url}/livez`)).status).toBe(200)
  }
  expect((await fetch(`${service.url}/api/v1/orders`)).status).toBe(401)
  // On a busy machine, the measurement of the replay delay may fail. The service then opens a new database session for
  // the measurement, and for a moment this query finds no session.
  const sessions = `select from pg_stat_activity where application_name = 'standby' and datname = current_database()`
  await waitFor(async () => expect((await opened().database.pool.query(sessions)).rowCount).toBe(1))
})
