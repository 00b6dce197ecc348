import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { type ServiceProcess, startServiceProcess } from '../../../scripts/faults/service-process.ts'
import { useDatabase } from '../../support/database.ts'

/** Tests a running process whose release folder is moved, as when a new release is installed there. */

const opened = useDatabase()
const run = promisify(execFile)

/** Files and folders of a release that a process reads. The npm packages are copied in addition. */
const parts = ['src', 'registry', 'generated', 'openapi.json', 'package.json']

/** Returns the folders of the packages that `npm ci --omit=dev` installs, without the programs of Node.js and PostgreSQL. */
async function productionPackages(): Promise<readonly string[]> {
  const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8'))
  return Object.entries<{ dev?: boolean; optional?: boolean }>(packages)
    .filter(([path, { dev, optional }]) => path.lastIndexOf('node_modules/') === 0 && dev !== true && optional !== true)
    .map(([path]) => path)
}

/**
 * Starts a process in a copy of the project's folder. The parent folders of the copy contain no packages, so Node.js
 * cannot find a missing package there. The packages are copied and not linked, because Node.js follows symbolic links.
 */
async function startInCopy(): Promise<{ readonly service: ServiceProcess; readonly folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'commerce-release-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await run('cp', ['--archive', '--parents', ...parts, ...(await productionPackages()), folder])
  const service = await startServiceProcess(opened().connectionString, { RUN: 'api' }, { folder })
  onTestFinished(async () => {
    service.kill('SIGKILL')
    await service.ended
  })
  return { service, folder }
}

const moveAway = (folder: string) => rename(join(folder, 'node_modules'), join(folder, 'node_modules.before'))

const paths = ['/docs', '/docs/guides/errors', '/docs/search?q=refund', '/dashboard/sign-in'] as const

test('a process that has loaded its npm packages still serves the reference and the dashboard after the packages were moved away', async () => {
  const { service, folder } = await startInCopy()
  const statusesOf = () => Promise.all(paths.map(async (path) => (await fetch(service.url + path)).status))
  expect(await statusesOf()).toEqual([200, 200, 200, 200])
  await moveAway(folder)
  expect(await statusesOf()).toEqual([200, 200, 200, 200])
})

test('if npm packages that the dashboard needs are missing at its first request, the dashboard returns 503 in the API’s format until the packages are back', async () => {
  const { service, folder } = await startInCopy()
  await moveAway(folder)
  const response = await fetch(`${service.url}/dashboard/sign-in`)
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
  expect(await response.json()).toMatchObject({
    error: { code: 'service_unavailable', message: expect.stringContaining('cannot read a file of its release') },
  })
  // The API and the reference do not need any package that the process has not loaded yet.
  for (const path of ['/api/v1/openapi.json', '/livez', '/docs'])
    expect([path, (await fetch(service.url + path)).status]).toEqual([path, 200])
  await rename(join(folder, 'node_modules.before'), join(folder, 'node_modules'))
  expect((await fetch(`${service.url}/dashboard/sign-in`)).status).toBe(200)
})
