import { setTimeout as wait } from 'node:timers/promises'
import { errorCodes } from '../../../registry/errors/index.ts'
import { prepareDatabase } from '../../prepare-database.ts'
import { openTemporaryPostgres } from '../../temporary-postgres.ts'
import { type Haproxy, requireHaproxy, startHaproxy } from '../haproxy.ts'
import { openCustomersToken } from '../merchants.ts'
import { type Fleet, startFleet } from '../rolling/fleet.ts'
import { startLoad } from '../rolling/load.ts'
import { createCustomer, faultsOf, type Received, sendBytes } from './responses.ts'

/**
 * `npm run proxy-faults`: runs two API processes behind HAProxy with the shipped configuration. First, requests that
 * violate HTTP are sent. Then one process is killed before new requests are sent, the other process is killed under
 * load, and finally the database is stopped. The exit code is 1 if a client gets a failure that is not an error of the
 * API’s catalogue, if a request that reached no process fails, or if a read fails.
 */

/**
 * Number of write requests: more than HAProxy sends to the killed process before it notices that the process has ended.
 */
const writes = 40

/** Number of client connections that are in use when the process is killed. */
const clients = 8

/** Time for which clients send requests before the process is killed, and again after it was killed. */
const loadMs = 2000

const program = requireHaproxy()
const violations = await run()
for (const violation of violations) console.error(violation)
console.log(violations.length === 0 ? 'Every response had the shape of the API.' : `${violations.length} violation(s).`)
process.exitCode = violations.length === 0 ? 0 : 1

interface Behind {
  readonly fleet: Fleet
  readonly haproxy: Haproxy
  readonly token: string
}

async function run(): Promise<readonly string[]> {
  const postgres = await openTemporaryPostgres({ name: 'proxy', durability: 'throwaway' })
  let isRunning = true
  const stopDatabase = async () => {
    isRunning = false
    await postgres.stop()
  }
  try {
    await prepareDatabase(postgres)
    const { connectionString } = postgres
    const token = await openCustomersToken(connectionString)
    const fleet = await startFleet({ connectionString, size: 2 })
    try {
      const haproxy = await startHaproxy(program, { urls: fleet.urls, repeats: true })
      try {
        const behind = { fleet, haproxy, token }
        return [
          ...(await sendInvalidRequests(behind)),
          ...(await killBeforeRequests(behind)),
          ...(await killUnderLoad(behind)),
          ...(await loseDatabase(behind, stopDatabase)),
        ]
      } finally {
        await haproxy.stop()
      }
    } finally {
      await fleet.kill()
    }
  } finally {
    if (isRunning) await postgres.stop()
  }
}

/** Sends requests that violate HTTP. HAProxy must forward them, so that the API responds. */
async function sendInvalidRequests({ haproxy, token }: Behind): Promise<readonly string[]> {
  await untilUp(haproxy)
  const sent = [
    await sendBytes(haproxy.url, `GET /api/v1/orders?search=Ọláyínká HTTP/1.1\r\nAuthorization: Bearer ${token}`),
    await sendBytes(haproxy.url, 'POST /api/v1/örders HTTP/1.1\r\nContent-Length: 2'),
    await sendBytes(haproxy.url, 'GET /api/v1/orders HTTP/1.1\r\nMy Header: 1'),
    await sendBytes(haproxy.url, `GET /api/v1/orders HTTP/1.1\r\nX-Long: ${'x'.repeat(20_000)}`),
  ]
  console.log(`requests that HTTP forbids: ${sent.map(({ status }) => status).join(', ')}`)
  return sent.flatMap((each) => faultsOf(each, errorCodes))
}

/**
 * Kills an API process, then sends requests. HAProxy first sends half of them to the killed process, whose port refuses
 * the connections.
 */
async function killBeforeRequests({ fleet, haproxy, token }: Behind): Promise<readonly string[]> {
  await untilUp(haproxy)
  await fleet.kill(0)
  const received: Received[] = []
  for (let count = 0; count < writes; count++) received.push(await createCustomer(haproxy.url, token))
  const failed = received.filter(({ status }) => status !== 201)
  console.log(`process killed before ${writes} writes: ${failed.length} failed`)
  await fleet.restart(0)
  return failed.map(({ status, body }) => `A write got ${status}: ${body}`)
}

/**
 * When a process ends, the outcome of its current writes is unknown. The client gets the error `outcome_unknown`, even
 * on a connection that has served earlier requests.
 */
async function killUnderLoad({ fleet, haproxy, token }: Behind): Promise<readonly string[]> {
  await untilUp(haproxy)
  const load = startLoad({ url: haproxy.url, token, clients })
  await wait(loadMs)
  await fleet.kill(1)
  await wait(loadMs)
  const failures = await load.stop()
  console.log(`process killed under load: ${load.completed()} requests, ${failures.length} failed`)
  await fleet.restart(1)
  const allowed = failures.filter((failure) => /^POST: 503 .*"code":"outcome_unknown"/.test(failure))
  const others = failures.filter((failure) => !allowed.includes(failure))
  return allowed.length > clients ? [...others, `${allowed.length} writes failed on ${clients} connections.`] : others
}

/** Sends write requests before and after HAProxy notices that no API process is ready. */
async function loseDatabase({ haproxy, token }: Behind, stopDatabase: () => Promise<void>): Promise<readonly string[]> {
  await untilUp(haproxy)
  await stopDatabase()
  const received: Received[] = []
  let isNoticed = false
  const noticed = Promise.all([0, 1].map((index) => haproxy.until(index, 'DOWN'))).finally(() => {
    isNoticed = true
  })
  while (!isNoticed) received.push(await createCustomer(haproxy.url, token))
  await noticed
  const byProcesses = received.length
  for (let count = 0; count < writes; count++) received.push(await createCustomer(haproxy.url, token))
  console.log(`database stopped: ${byProcesses} responses before HAProxy noticed, ${writes} afterwards`)
  return received.flatMap((each) => faultsOf(each, ['service_unavailable', 'outcome_unknown']))
}

async function untilUp(haproxy: Haproxy): Promise<void> {
  for (const index of [0, 1]) await haproxy.until(index, 'UP')
}
