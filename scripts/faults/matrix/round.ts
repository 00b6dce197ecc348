import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import { disableWebhookEndpoint } from '../../../src/access/disable-webhook-endpoint.ts'
import { sealAudit } from '../../../src/audit/seal-audit.ts'
import { verifyAudit } from '../../../src/audit/verify-audit.ts'
import { randomOf } from '../../../src/demo/random.ts'
import { findViolations, type Violation } from '../invariants.ts'
import { contextOf, operator, vault } from '../merchants.ts'
import type { Receipt } from '../receivers.ts'
import type { Cell } from './cell.ts'
import { type Disturbance, disturb, waitedMs } from './disturb.ts'
import { type CommerceViolation, findCommerceViolations } from './invariants.ts'
import { openJournal, readJournal } from './journal.ts'
import { startLoad } from './load.ts'
import { openShop, type Shop } from './shop.ts'
import { through, type World } from './world.ts'

export interface RoundReport {
  readonly round: number
  readonly cell: string
  readonly operations: number
  readonly slowestMs: number
  readonly recoveryMs: Disturbance['recoveryMs']
  readonly violations: readonly string[]
}

/**
 * Runs one round of the fault matrix: load, a fault, the recovery, the end of all deliveries, and then the check of the
 * invariants.
 */
export async function runRound(world: World, round: number, cell: Cell): Promise<RoundReport> {
  const random = randomOf(world.seed, round)
  const { database, receivers, proxies, api } = world
  const receiversUrl = through(receivers.url, proxies['worker-receiver'])
  const { url } = api.current()
  const shop = await openShop({ database, url, receiversUrl, ownReceiversUrl: receivers.url })
  const path = join(world.folder, `round-${round}.jsonl`)
  const journal = await openJournal(path)
  const load = startLoad({
    url: through(url, proxies['client-api']),
    shop,
    journal,
    seed: `${world.seed} ${round}`,
    mayDisconnect: cell.mayDisconnect,
    waitedMs: () => waitedMs(world),
  })
  const { recoveryMs, violations: found } = await disturb(world, { cell, load, random, shop }).catch(
    (error: unknown): Disturbance => ({
      recoveryMs: null,
      violations: [`The fault could not be applied: ${error instanceof Error ? error.stack : error}`],
    }),
  )
  const { operations, complaints, slowestMs } = await load.stop()
  await journal.close()
  const violations = [...complaints, ...found]
  if (!(await isSettled(world, shop))) violations.push(`The deliveries did not end within ${settleMaxMs / 1000} s.`)
  violations.push(...(await connectionFaults(world)))
  violations.push(...(await violationsOf(world, cell, { shop, path })).filter((each) => !world.reported.has(each)))
  for (const each of violations) world.reported.add(each)
  // Disables the webhook endpoint of the round, so that its retries do not fall into the next rounds.
  await disableWebhookEndpoint(contextOf(database), operator, shop.tenant, shop.endpointId)
  return { round, cell: cell.name, operations, slowestMs, recoveryMs, violations }
}

/**
 * Maximum wait for the end of the webhook deliveries: the lease of a killed worker ends after 30 s, and its delivery
 * may time out once more.
 */
const settleMaxMs = 75_000
const settlePollMs = 50

/**
 * Waits until no webhook delivery is due. A delivery in progress also counts as due. Returns false after `settleMaxMs`.
 */
async function isSettled({ database }: World, { tenant }: Shop): Promise<boolean> {
  const startedMs = performance.now()
  while (performance.now() - startedMs < settleMaxMs) {
    const { rowCount } = await database.pool.query(
      `select from webhook_deliveries
       where merchant_id = $1 and next_attempt_at <= now() limit 1`,
      [tenant.merchantId],
    )
    if (rowCount === 0) return true
    await wait(settlePollMs)
  }
  return false
}

/**
 * Maximum wait until no database connection of the pool is in use. Without load, a statement ends within milliseconds,
 * but sweeps and health checks use connections now and then.
 */
const idleMaxMs = 10_000

/** Matches two lines of the metrics: the database connections in use, and the requests that wait for a connection. */
const poolLine = /^commerce_database_(connections{state="in_use"}|waiting) /
const poolLineCount = 2

/** Without load, the pool of the API must have no connection in use, and no request may wait for a connection. */
async function connectionFaults({ api }: World): Promise<string[]> {
  const startedMs = performance.now()
  for (;;) {
    const response = await fetch(`${api.current().managementUrl}/metrics`).catch(() => undefined)
    if (response?.status !== 200)
      return [
        `The metrics of the API could not be read after the simulated fault: ${response?.status ?? 'no response'}.`,
      ]
    const lines = (await response.text()).split('\n').filter((line) => poolLine.test(line))
    if (lines.length !== poolLineCount) return [`The metrics of the pool are incomplete: ${lines.join(', ')}.`]
    const busy = lines.filter((line) => !line.endsWith(' 0'))
    if (busy.length === 0) return []
    if (performance.now() - startedMs > idleMaxMs) return [`The pool of the API is still in use: ${busy.join(', ')}.`]
    await wait(settlePollMs)
  }
}

/**
 * Returns the requests that the webhook receivers got. Repeated requests are left out for a fault that may cause them:
 * a crash of PostgreSQL may lose a lease, because leases are committed asynchronously, or the sender may replace a
 * reset connection and send the request again within the attempt.
 */
function receiptsOf({ receivers, repeating }: World, merchantId: MerchantId): readonly Receipt[] {
  const seen = new Set<string>()
  const received = receivers.receipts.filter(({ path }) => path === `/${merchantId}`)
  return received.filter(({ path, eventId, bodyHash }) => {
    const receipt = `${path} ${eventId} ${bodyHash}`
    const isRepeated = seen.has(receipt)
    seen.add(receipt)
    return !isRepeated || !repeating.has(merchantId)
  })
}

interface Journalled {
  readonly shop: Shop
  /** The path of the journal file of this round. */
  readonly path: string
}

/**
 * Checks the invariants of only one merchant's deliveries, because a check of all merchants would take longer with each
 * round.
 */
function webhookViolationsOf(world: World, merchantId: MerchantId): Promise<Violation[]> {
  const { database, postgres, receivers, proxies } = world
  const url = through(receivers.url, proxies['worker-receiver'])
  return findViolations(postgres.ownerConnectionString, {
    receivers: { url, receipts: receiptsOf(world, merchantId) },
    nowMs: contextOf(database).clock.nowMs(),
    merchantId,
  })
}

/** Returns violations about webhook deliveries that appeared only after the rounds of their merchants had ended. */
export async function lateViolationsOf(world: World): Promise<string[]> {
  const found: string[] = []
  for (const merchantId of world.merchants) {
    found.push(...(await webhookViolationsOf(world, merchantId)).map(textOf))
  }
  return found.filter((each) => !world.reported.has(each))
}

function textOf({ invariant, rows }: Violation | CommerceViolation): string {
  return `Not true: ${invariant}. ${JSON.stringify(rows)}`
}

async function violationsOf(world: World, cell: Cell, { shop, path }: Journalled): Promise<string[]> {
  const { database, postgres } = world
  const { tenant } = shop
  const { ownerConnectionString } = postgres
  if (cell.mayRepeat) world.repeating.add(tenant.merchantId)
  world.merchants.push(tenant.merchantId)
  const webhooks = await webhookViolationsOf(world, tenant.merchantId)
  const commerce = await findCommerceViolations(ownerConnectionString, { tenant, journal: await readJournal(path) })
  const { signer } = vault
  await sealAudit({ database, signer })
  const { faults } = await verifyAudit({ database, signer, chain: tenant.merchantId })
  return [
    ...[...webhooks, ...commerce].map(textOf),
    ...faults.map((fault) => `The audit log is not intact: ${JSON.stringify(fault)}`),
  ]
}
