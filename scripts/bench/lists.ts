import pg from 'pg'
import { EventId, type MerchantId } from '../../registry/values/vocabulary.ts'
import { createMerchant } from '../../src/access/create-merchant.ts'
import { systemClock } from '../../src/base/clock.ts'
import { auditQuery } from '../../src/store/audit/audit-list.ts'
import { systemActor } from '../../src/store/core/audit.ts'
import { openDatabase } from '../../src/store/core/database.ts'
import type { DatabaseRoles } from '../../src/store/core/service-role.ts'
import { createPartitions } from '../../src/store/partitions/partitions.ts'
import { requestQuery } from '../../src/store/requests/request-list.ts'
import { deliveryQuery, listDeliveries } from '../../src/store/webhooks/delivery-list.ts'
import { median } from './compare.ts'
import { auditCases, deliveryCases, pageLimit, requestCases } from './list-cases.ts'
import { dayMs, fillAuditLog, fillDeliveries, fillRequestLog, requestSpanMs } from './list-rows.ts'
import { buffersOf, type Query } from './plan.ts'

/**
 * Measures each filter of the audit log, the delivery list and the request log of one large merchant: the time of a
 * page in PostgreSQL and the buffers that it reads, compared with the first page without a filter.
 */
const rowsOfAuditLog = 5_000_000
const deliveriesPerAuditRow = 0.2

/**
 * Maximum number of buffers that a page reads, relative to the page without a filter. A page may search one index for
 * each endpoint, status and partition.
 */
const timesMax = 25

/**
 * Maximum number of buffers that a page of the request log reads: it scans at most 1,000 errors, each in a buffer of
 * its own, or 10,000 rows that are close together.
 */
const requestBuffersMax = 1_200

const actor = systemActor('bench')

export async function benchLists(roles: DatabaseRoles, rows = rowsOfAuditLog): Promise<void> {
  const database = openDatabase({ connectionString: roles.connectionString })
  const client = new pg.Client({ connectionString: roles.ownerConnectionString })
  await client.connect()
  try {
    const context = { database, clock: systemClock, nudge: () => undefined }
    const { id: merchantId } = await createMerchant(context, actor, 'Adire Lagos')
    const untilMs = systemClock.nowMs()
    for (let atMs = untilMs - requestSpanMs; atMs < untilMs; atMs += dayMs) await createPartitions(database.pool, atMs)
    await fillLists(client, { merchantId, untilMs, rows })
    const ofPage = { merchantId, limit: pageLimit }
    const audit = await Promise.all(
      auditCases(untilMs).map(async ({ name, filter }) => ({
        name,
        query: await auditQuery(database, { ...filter, ...ofPage }),
      })),
    )
    await measure(client, 'audit log', audit)
    const [delivery] = await listDeliveries(database, { merchantId, limit: 1 })
    const deliveries = deliveryCases(untilMs, EventId.parse(delivery?.eventId)).map(({ name, filter }) => ({
      name,
      query: deliveryQuery({ ...filter, ...ofPage }),
    }))
    await measure(client, 'deliveries', deliveries)
    const requests = requestCases(untilMs).map(({ name, filter }) => ({
      name,
      query: requestQuery({ ...filter, merchantId }, { limit: pageLimit }),
    }))
    await measure(client, 'request log', requests, requestBuffersMax)
  } finally {
    await client.end()
    await database.close()
  }
}

interface Size {
  readonly merchantId: MerchantId
  readonly untilMs: number
  readonly rows: number
}

async function fillLists(client: pg.Client, { merchantId, untilMs, rows }: Size): Promise<void> {
  const started = performance.now()
  const deliveries = Math.ceil(rows * deliveriesPerAuditRow)
  await fillAuditLog(client, { merchantId, untilMs, count: rows })
  await fillDeliveries(client, { merchantId, untilMs, count: deliveries })
  await fillRequestLog(client, { merchantId, untilMs, count: rows })
  await client.query('vacuum analyze audit_log, audit_resources, webhook_events, webhook_deliveries, request_log')
  const seconds = Math.round((performance.now() - started) / 1000)
  console.log(`Inserted ${rows} audit rows, ${rows} requests and ${deliveries} deliveries in ${seconds} s`)
}

/** Number of runs. The first run has a cold cache; the median of the others represents a busy server. */
const runs = 5

async function measure<Args>(
  client: pg.Client,
  title: string,
  cases: readonly { readonly name: string; readonly query: Query<Args> }[],
  buffersMax = 0,
): Promise<void> {
  let unfiltered: number | undefined
  for (const { name, query } of cases) {
    const times: number[] = []
    let buffers = 0
    for (let run = 0; run < runs; run++) {
      const measured = await buffersOf(client, query)
      times.push(measured.ms)
      buffers = measured.buffers
    }
    unfiltered ??= buffers
    const isTooMany = buffers > Math.max(unfiltered * timesMax, buffersMax)
    if (isTooMany) process.exitCode = 1
    const figures = `${median(times.slice(1)).toFixed(1).padStart(7)} ms  ${String(buffers).padStart(6)} buffers`
    console.log(`${`${title}, ${name}`.padEnd(48)} ${figures}${isTooMany ? '  TOO MANY' : ''}`)
  }
}
