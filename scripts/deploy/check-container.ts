import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { EmbeddedPostgres } from '../../src/store/embedded/embedded.ts'
import { nodeOptions } from '../start-command.ts'
import type { Container } from './container.ts'
import type { Stage } from './containerfile.ts'
import { step } from './step.ts'

/** Maximum wait for the start of a process: long enough for a busy machine. */
const readyMaxMs = 60_000

const pollMs = 200

/** Migrates the database, runs an API process and a worker in the container, and sends a request. Throws if a step fails. */
export async function checkContainer(container: Container, image: Stage, postgres: EmbeddedPostgres): Promise<void> {
  const owner = { DATABASE_URL: postgres.connectionString, DATABASE_OWNER_URL: postgres.ownerConnectionString }
  // An encryption key of 32 fixed bytes, as ENCRYPTION_KEY requires. The key may be fixed, because the database with
  // the encrypted secrets is deleted afterwards.
  const service = { DATABASE_URL: postgres.connectionString, ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64') }
  await step('isolation', () => checkIsolation(container))
  await step('compile cache', () => checkCompileCache(container))
  await step('migrate', () => container.run(['node', 'src/cli.ts', 'migrate'], owner))
  const processes: ServiceProcess[] = []
  try {
    const start = async (role: string) => {
      const started = await startRole(container, image, { ...service, RUN: role })
      processes.push(started)
      return started
    }
    const api = await step('start the API', () => start('api'))
    const worker = await step('start the worker', () => start('worker'))
    for (const each of [api, worker]) await step(`readiness of ${each.role}`, () => untilReady(each))
    for (const each of [api, worker])
      await step(`health check of ${each.role}`, () => container.run(image.healthCheck, each.environment))
    await step('one request', () => sendRequest(container, api))
    for (const each of [api, worker]) await step(`stop of ${each.role}`, () => stopProcess(each))
  } finally {
    for (const { child } of processes) if (child.exitCode === null) child.kill('SIGKILL')
  }
}

/**
 * Prints the user of the container, the user's privileges, and the errors of writing to the code and to the root
 * folder.
 */
const probeIsolation = `
  const { readFileSync, writeFileSync } = require('node:fs')
  const codeOf = (path) => { try { writeFileSync(path, ''); return 'written' } catch ({ code }) { return code } }
  const [, privileges] = /^CapEff:\\s+(\\w+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))
  console.log(JSON.stringify([process.getuid(), BigInt('0x' + privileges).toString(), ...['/app/src/main.ts', '/x', '/tmp/x'].map(codeOf)]))`

async function checkIsolation(container: Container): Promise<void> {
  const found = await container.run(['node', '-e', probeIsolation], {})
  const expected = JSON.stringify([1000, '0', 'EROFS', 'EROFS', 'written'])
  if (found.trim() !== expected)
    throw new Error(`The container’s user, privileges and file access are ${found.trim()} instead of ${expected}.`)
}

/**
 * Starts a program and prints how many modules it loads, and how many of them Node.js read from the compile cache. The
 * service ends after loading its modules, because it cannot connect to a database.
 */
const probeCompileCache = `
  const { spawnSync } = require('node:child_process')
  const env = {
    ...process.env,
    DATABASE_URL: 'postgres://127.0.0.1:1/commerce',
    ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
    MANAGEMENT_PORT: '0',
    NODE_DEBUG_NATIVE: 'COMPILE_CACHE',
  }
  const { stderr, stdout } = spawnSync('node', process.argv.slice(1), { env, encoding: 'utf8' })
  const lines = (stderr + stdout).split('\\n').filter((line) => line.includes('V8 code cache for ESM file:///app/'))
  console.log(JSON.stringify([lines.length, lines.filter((line) => line.includes('was accepted')).length]))`

async function checkCompileCache(container: Container): Promise<void> {
  const programs = [
    [...nodeOptions, 'src/main.ts'],
    ['src/cli.ts', 'migrate', '--help'],
  ]
  for (const program of programs) {
    const found = await container.run(['node', '-e', probeCompileCache, '--', ...program], {})
    const [modules, cached] = JSON.parse(found)
    if (!(cached > 0 && modules - cached <= uncachedMax))
      throw new Error(`${program.join(' ')}: Node.js found ${cached} of ${modules} modules in the compile cache.`)
  }
}

/**
 * Maximum number of modules outside the compile cache: the entry point of the service and the module with which it
 * starts. The build cannot load them without starting the service.
 */
const uncachedMax = 2

interface ServiceProcess {
  readonly role: string
  readonly child: ChildProcess
  readonly environment: Readonly<Record<string, string>>
  readonly output: () => string
}

async function startRole(
  container: Container,
  { start }: Stage,
  settings: Readonly<Record<'RUN', string>>,
): Promise<ServiceProcess> {
  const [port, managementPort] = [await freePort(), await freePort()]
  // The service listens on the loopback address only. Unlike a real container, this container shares the network of the
  // machine: other machines could connect to a service that listens on a network address.
  const addresses = { HOST: '127.0.0.1', MANAGEMENT_HOST: '127.0.0.1', PORT: port, MANAGEMENT_PORT: managementPort }
  const environment = { ...settings, ...addresses }
  const child = container.start(start, environment)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk))
  return { role: settings.RUN, child, environment, output: () => output }
}

function freePort(): Promise<string> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(String(typeof address === 'object' ? address?.port : 0)))
    })
  })
}

async function untilReady({ role, child, environment, output }: ServiceProcess): Promise<void> {
  const deadlineMs = performance.now() + readyMaxMs
  while (performance.now() < deadlineMs && child.exitCode === null) {
    const response = await fetch(`http://127.0.0.1:${environment.MANAGEMENT_PORT}/readyz`).catch(() => undefined)
    await response?.arrayBuffer()
    if (response?.status === 200) return
    await wait(pollMs)
  }
  throw new Error(`The process ${role} is not ready: ${output()}`)
}

async function sendRequest(container: Container, { environment }: ServiceProcess): Promise<void> {
  const command = async (...words: string[]): Promise<unknown> =>
    JSON.parse(await container.run(['node', 'src/cli.ts', ...words, '--json'], environment))
  const merchant = await command('merchant', 'create', '--name', 'Adire Lagos')
  const id = String(Reflect.get(Object(merchant), 'id'))
  const created = await command('token', 'create', '--merchant', id, '--name', 'deployment', '--scopes', 'orders:read')
  const authorization = `Bearer ${Reflect.get(Object(created), 'token')}`
  const response = await fetch(`http://127.0.0.1:${environment.PORT}/api/v1/orders`, {
    headers: { Authorization: authorization },
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`GET /api/v1/orders responded with ${response.status}: ${text}`)
}

async function stopProcess({ role, child, output }: ServiceProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const [code, signal] = await ended
  if (code !== 0) throw new Error(`The process ${role} ended with ${code ?? signal}: ${output()}`)
}
