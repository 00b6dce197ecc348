import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { contextOf } from '../../../scripts/faults/merchants.ts'
import { type ServiceProcess, startServiceProcess } from '../../../scripts/faults/service-process.ts'
import { useDatabase } from '../../support/database.ts'
import { openShop } from '../../support/shop.ts'
import { portOf } from '../../webhooks/receiver.ts'

/** Several API processes on one port, as `npm start -- --processes 2` starts them. */

const opened = useDatabase()

async function startProcesses(settings: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> {
  const service = await startServiceProcess(opened().connectionString, {
    PROCESSES: '2',
    LOG_LEVEL: 'info',
    ...settings,
  })
  onTestFinished(async () => {
    service.kill('SIGTERM')
    expect(await service.ended).toBe(0)
  })
  return service
}

/** Sends read requests, each on a new connection. Returns their statuses. */
async function readOrders({ url }: ServiceProcess, count: number): Promise<number[]> {
  const { token } = await openShop(contextOf(opened().database))
  const headers = { Authorization: `Bearer ${token}`, Connection: 'close' }
  const statuses: number[] = []
  for (let sent = 0; sent < count; sent++) {
    const response = await fetch(`${url}/api/v1/orders`, { headers })
    await response.arrayBuffer()
    statuses.push(response.status)
  }
  return statuses
}

/** Returns the URLs of all management ports. The API processes print them in any order. */
const managementUrls = ({ output }: ServiceProcess) =>
  [...output().matchAll(/management port is (http:\/\/\S+)\.$/gm)].map(([, url = '']) => url)

/**
 * Waits for the log lines of started API processes, which are written in the background. Returns the ids of the
 * processes.
 */
async function processIds({ output }: ServiceProcess, count = 2): Promise<number[]> {
  const read = () =>
    [...output().matchAll(/"pid":(\d+),"msg":"An API process serves requests\."/g)].map(([, pid]) => Number(pid))
  await expect.poll(() => read().length).toBe(count)
  return read()
}

async function readsServedBy(managementUrl: string): Promise<number> {
  const text = await (await fetch(`${managementUrl}/metrics`)).text()
  return Number(/^commerce_http_requests_total\{operation="listOrders",status="200"\} (\d+)$/m.exec(text)?.[1] ?? 0)
}

test('all API processes serve the same port, and each has its own management port', async () => {
  const service = await startProcesses()
  expect(await readOrders(service, 40)).toEqual(Array(40).fill(200))
  const urls = managementUrls(service)
  expect(new Set(urls).size).toBe(3)
  const served = await Promise.all(urls.map(readsServedBy))
  // The kernel distributes the connections at random. All connections go to one process only once in 10¹¹ runs.
  expect(served.filter((count) => count > 0)).toHaveLength(2)
  expect(served.reduce((sum, count) => sum + count)).toBe(40)
  expect(await (await fetch(`${service.managementUrl}/readyz`)).json()).toMatchObject({
    checks: expect.arrayContaining([{ name: 'api_processes', status: 'ok' }]),
  })
})

test('a killed API process is started again, and the other processes serve requests until then', async () => {
  const service = await startProcesses({ RUN: 'api' })
  const [killed] = await processIds(service)
  if (killed === undefined) throw new Error('No API process has started.')
  process.kill(killed, 'SIGKILL')
  await expect.poll(service.output).toContain('An API process has ended and is started again.')
  expect(await readOrders(service, 10)).toEqual(Array(10).fill(200))
  await processIds(service, 3)
  expect(await readOrders(service, 10)).toEqual(Array(10).fill(200))
})

test('all API processes end when the main process of the service ends, even if that process is killed', async () => {
  const service = await startServiceProcess(opened().connectionString, { PROCESSES: '2', LOG_LEVEL: 'info' })
  const running = await processIds(service)
  service.kill('SIGKILL')
  expect(await service.ended).toBe('SIGKILL')
  const isRunning = (pid: number) => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }
  await expect.poll(() => running.filter(isRunning)).toEqual([])
})

test('if a terminal or a supervisor sends a signal to all processes of the service, the service is stopped only once', async () => {
  const service = await startProcesses()
  for (const pid of await processIds(service)) process.kill(pid, 'SIGTERM')
  service.kill('SIGTERM')
  expect(await service.ended).toBe(0)
  expect(service.output().match(/shutting down gracefully/g)).toHaveLength(1)
  await expect(fetch(`${service.url}/livez`)).rejects.toThrow('fetch failed')
})

test('the start of the service fails with the reason when its port is in use', async () => {
  const other = createServer()
  onTestFinished(() => void other.close())
  other.listen(0, '127.0.0.1')
  await once(other, 'listening')
  const port = portOf(other.address())
  const starting = startServiceProcess(opened().connectionString, { PROCESSES: '2', PORT: String(port) })
  await expect(starting).rejects.toThrow(`Port ${port} is already in use.`)
})

test('if another service already uses the port, API processes do not start, and the error names the port', async () => {
  const service = await startProcesses()
  const { port } = new URL(service.url)
  const starting = startServiceProcess(opened().connectionString, { PROCESSES: '2', PORT: port })
  await expect(starting).rejects.toThrow(`Port ${port} is already in use.`)
})
