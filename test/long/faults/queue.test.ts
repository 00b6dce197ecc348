import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { expect, test } from 'vitest'
import { addEndpoint, contextOf, emit, encryptionKey, openMerchant } from '../../../scripts/faults/merchants.ts'
import { endOf, forkWorker } from '../../../scripts/faults/processes.ts'
import { openReceivers } from '../../../scripts/faults/receivers.ts'
import { scheduleNextAttempts } from '../../../src/store/webhooks/next-attempts.ts'
import { asOwner, useDatabase } from '../../support/database.ts'
import { openShop } from '../../support/shop.ts'
import { waitFor } from '../../support/wait-for.ts'

const opened = useDatabase()

test('the worker continues if a database connection is lost while a job is being marked as done', async () => {
  const { database, connectionString } = opened()
  const worker = forkWorker()
  const receivers = await openReceivers()
  try {
    const tenant = await openMerchant(database)
    const endpointId = await addEndpoint(database, tenant, `${receivers.url}/`)
    await worker.start({ connectionString })
    await asOwner(
      opened(),
      `create sequence cuts;
      grant usage on sequence cuts to public;
      create function cut() returns trigger language plpgsql as $$
      begin
        if nextval('cuts') <= 2 then perform pg_terminate_backend(pg_backend_pid()); end if;
        return old;
      end $$;
      create trigger cut before delete on graphile_worker._private_jobs for each row execute function cut();`,
    )
    await emit(contextOf(database), tenant, 1)
    await scheduleNextAttempts(database, [{ merchantId: tenant.merchantId, endpointId }])
    const jobs = `select from graphile_worker.jobs where key = 'retry:${endpointId}'`
    await waitFor(async () => expect((await database.pool.query(jobs)).rowCount).toBe(0))
    await waitFor(() => expect(receivers.receipts).toHaveLength(1))
    expect(worker.hasEnded(), worker.log()).toBe(false)
  } finally {
    worker.signal('SIGKILL')
    receivers.close()
  }
})

test('a worker process exits when its job queue stops unexpectedly', async () => {
  const { database, connectionString } = opened()
  const worker = forkWorker()
  try {
    await worker.start({ connectionString })
    // The service reacts to signals only a moment after its start, so the test repeats the signal until the service has
    // received it.
    const notify = `select pg_notify('worker:migrate', '{"breaking": true, "migrationNumber": 99}')`
    const end = async () => {
      await database.pool.query(notify)
      expect(worker.hasEnded()).toBe(true)
    }
    await waitFor(end)
    expect(await worker.ended).toBe(1)
  } finally {
    worker.signal('SIGKILL')
  }
})

test('when the job queue stops, the service completes the current request and then exits with code 1', async () => {
  const { database, connectionString } = opened()
  const { token } = await openShop(contextOf(database))
  const settings = { NODE_ENV: 'development', PORT: '0', LOG_LEVEL: 'silent', DATABASE_URL: connectionString }
  const child = spawn(process.execPath, ['src/main.ts'], {
    env: { ...process.env, ...settings, ENCRYPTION_KEY: encryptionKey.toString('base64') },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = endOf(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk))
  try {
    await waitFor(() => expect(output).toMatch(/listening on \S+,/))
    const sending = request(`${/listening on (\S+),/.exec(output)?.[1]}/customers`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', Expect: '100-continue' },
    })
    const answering = once(sending, 'response')
    // The service has received the headers of the request. The body follows while the service is stopping.
    sending.flushHeaders()
    await once(sending, 'continue')
    const notify = `select pg_notify('worker:migrate', '{"breaking": true, "migrationNumber": 99}')`
    const end = async () => {
      await database.pool.query(notify)
      expect(output).toContain('The job queue ended unexpectedly.')
    }
    // If the request got no body within 15 s, it would time out, and its status would not be 201.
    await waitFor(end)
    sending.end(JSON.stringify({ name: 'Adaeze Okafor', email: 'adaeze@example.com' }))
    const [response] = await answering
    response.resume()
    expect(response.statusCode).toBe(201)
    expect(await ended).toBe(1)
  } finally {
    child.kill('SIGKILL')
  }
})
