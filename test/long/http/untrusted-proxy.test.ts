import { expect, onTestFinished, test } from 'vitest'
import { type ServiceProcess, startServiceProcess } from '../../../scripts/faults/service-process.ts'
import { useDatabase } from '../../support/database.ts'

const opened = useDatabase()

async function start(trustedProxies: string): Promise<ServiceProcess> {
  const settings = { RUN: 'api', TRUSTED_PROXIES: trustedProxies }
  const service = await startServiceProcess(opened().connectionString, settings)
  onTestFinished(() => service.kill('SIGKILL'))
  return service
}

async function request({ url }: ServiceProcess, headers: Readonly<Record<string, string>>): Promise<void> {
  expect((await fetch(`${url}/livez`, { headers })).status).toBe(200)
}

const countWarnings = ({ output }: ServiceProcess) =>
  output()
    .split('\n')
    .filter((line) => line.includes('TRUSTED_PROXIES is 0')).length

test('a process that trusts no proxy warns once when requests come through a proxy', async () => {
  const service = await start('0')
  await request(service, {})
  expect(countWarnings(service)).toBe(0)
  await request(service, { 'X-Forwarded-For': '203.0.113.7' })
  await request(service, { 'X-Forwarded-For': '203.0.113.8' })
  await expect.poll(() => countWarnings(service)).toBe(1)
})

test('a process behind a trusted proxy logs no warning about proxies', async () => {
  const service = await start('1')
  await request(service, { 'X-Forwarded-For': '203.0.113.7' })
  service.kill('SIGTERM')
  await service.ended
  expect(countWarnings(service)).toBe(0)
})
