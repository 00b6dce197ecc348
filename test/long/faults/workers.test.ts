import { expect, test } from 'vitest'
import { findViolations } from '../../../scripts/faults/invariants.ts'
import { addEndpoint, contextOf, emit, openMerchant } from '../../../scripts/faults/merchants.ts'
import { endOf, forkScript, forkWorker } from '../../../scripts/faults/processes.ts'
import { openReceivers } from '../../../scripts/faults/receivers.ts'
import { standardRules } from '../../../src/webhooks/pace.ts'
import { useDatabase } from '../../support/database.ts'
import { waitFor } from '../../support/wait-for.ts'

const opened = useDatabase()

async function counts(): Promise<Record<string, number>> {
  const { rows } = await opened().database.pool.query(
    'select status, count(*)::integer as count from webhook_deliveries group by status',
  )
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
}

test('two workers for the same merchants together observe the concurrency limits, and send each webhook delivery once', async () => {
  const { database, connectionString } = opened()
  const receivers = await openReceivers()
  const workers = [forkWorker(), forkWorker()]
  const underWay = new Map<string, number>()
  const most = new Map<string, number>()
  const change = (key: string, by: number) => {
    const now = (underWay.get(key) ?? 0) + by
    underWay.set(key, now)
    most.set(key, Math.max(most.get(key) ?? 0, now))
  }
  // The receiver answers no delivery of a merchant until the merchant has the maximum number of deliveries in progress.
  // Otherwise, the number of deliveries in progress would depend on the speed of the machine.
  const waiting = new Map<string, (() => void)[]>()
  const respondAtLimit = (merchant: string, respond: () => void) => {
    const held = waiting.get(merchant) ?? []
    if ((most.get(merchant) ?? 0) < standardRules.sendsPerMerchant)
      return void waiting.set(merchant, [...held, respond])
    waiting.delete(merchant)
    // The responses follow after 20 ms. In this time, a faulty worker could exceed the limit of concurrent sends.
    for (const each of [...held, respond]) setTimeout(each, 20)
  }
  try {
    // Twelve webhook endpoints, six for each of two merchants. The limits of a merchant's six endpoints add up to more
    // deliveries in progress than the merchant may have.
    const paths: string[] = []
    for (const merchant of ['one', 'other']) {
      const tenant = await openMerchant(database)
      for (let endpoint = 0; endpoint < 6; endpoint++) {
        const path = `/${merchant}/${endpoint}`
        paths.push(path)
        receivers.answers.set(path, (response) => {
          change(path, 1)
          change(merchant, 1)
          respondAtLimit(merchant, () => {
            change(path, -1)
            change(merchant, -1)
            response.end()
          })
        })
        await addEndpoint(database, tenant, `${receivers.url}${path}`)
      }
      await emit(contextOf(database), tenant, 100)
    }
    // The delay makes both workers count the deliveries in progress at the same moment. Both workers could then see the
    // same free capacity.
    const delay = { point: 'claim_not_committed', ms: 15 } as const
    await Promise.all(workers.map((worker) => worker.start({ connectionString, delay })))
    await waitFor(async () => expect(await counts()).toEqual({ succeeded: 1200 }))
    expect(receivers.receipts).toHaveLength(1200)
    for (const path of paths) expect(most.get(path), path).toBeLessThanOrEqual(standardRules.sendsPerEndpoint)
    for (const merchant of ['one', 'other']) expect(most.get(merchant)).toBe(standardRules.sendsPerMerchant)
    expect(await findViolations(opened().ownerConnectionString, { receivers, nowMs: Date.now() })).toEqual([])
  } finally {
    for (const worker of workers) worker.signal('SIGKILL')
    receivers.close()
  }
})

test('a worker that was frozen until its leases on webhook deliveries expired changes none of these deliveries when it continues', async () => {
  const { database, connectionString } = opened()
  const before = (await counts()).succeeded ?? 0
  const receivers = await openReceivers()
  const frozen = forkWorker()
  const successor = forkWorker()
  const answers: (() => void)[] = []
  try {
    const tenant = await openMerchant(database)
    const lanes = ['/good', '/bad']
    for (const path of lanes) {
      // The webhook receivers respond to the first requests only after the leases of the worker have expired. One of
      // the receivers responds with an error.
      receivers.answers.set(path, (response, count) => {
        if (count > 4) response.end()
        else answers.push(() => response.writeHead(path === '/bad' ? 500 : 200).end())
      })
      await addEndpoint(database, tenant, `${receivers.url}${path}`)
    }
    await emit(contextOf(database), tenant, 6)
    await frozen.start({ connectionString, logLevel: 'warn' })
    await waitFor(() => expect(answers).toHaveLength(8))
    frozen.signal('SIGSTOP')
    for (const answer of answers) answer()
    await successor.start({ connectionString, aheadMs: 30_500 })
    await waitFor(async () => expect(await counts()).toEqual({ succeeded: before + 12 }))
    const attemptRows = `
      select json_agg(delivery order by id) as deliveries, (select json_agg(endpoint order by id) from webhook_endpoints endpoint) as endpoints,
        (select count(*) from webhook_attempts) as attempts
      from webhook_deliveries delivery`
    const settled = (await database.pool.query(attemptRows)).rows
    frozen.signal('SIGCONT')
    // The stop waits until the worker has read the responses to its deliveries and has tried to store the results.
    await frozen.stop()
    // The log of the worker arrives through a separate pipe, possibly after the message that the worker has stopped.
    await waitFor(() => expect(frozen.log()).toContain('arrived after their leases'))
    expect((await database.pool.query(attemptRows)).rows).toEqual(settled)
    expect(receivers.receipts).toHaveLength(12 + 8)
    await successor.stop()
    expect(await findViolations(opened().ownerConnectionString, { nowMs: Date.now() })).toEqual([])
  } finally {
    frozen.signal('SIGKILL')
    successor.signal('SIGKILL')
    receivers.close()
  }
})

test('if a process dies after the commit and before it notifies the workers, the next sweep finds its events', async () => {
  const { database, connectionString } = opened()
  const receivers = await openReceivers()
  const worker = forkWorker()
  try {
    const tenant = await openMerchant(database)
    await addEndpoint(database, tenant, `${receivers.url}/`)
    await worker.start({ connectionString })
    expect(await endOf(forkScript('mutating-process.ts', [connectionString, tenant.merchantId]))).toBe('SIGKILL')
    await waitFor(() => expect(receivers.receipts).toHaveLength(1))
  } finally {
    worker.signal('SIGKILL')
    receivers.close()
  }
})
