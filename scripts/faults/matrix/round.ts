import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { disableWebhookEndpoint } from '../../../src/access/disable-webhook-endpoint.ts'
import { sealAudit } from '../../../src/audit/seal-audit.ts'
import { verifyAudit } from '../../../src/audit/verify-audit.ts'
import { type Random, randomOf } from '../../../src/demo/random.ts'
import { findViolations } from '../invariants.ts'
import { contextOf, operator, vault } from '../merchants.ts'
import type { Receipt } from '../receivers.ts'
import type { Cell } from './cells.ts'
import { findCommerceViolations } from './invariants.ts'
import { openJournal, readJournal } from './journal.ts'
import { type Load, startLoad } from './load.ts'
import { processorWaitMs } from './processor-wait.ts'
import { openShop, type Shop } from './shop.ts'
import { through, type World } from './world.ts'

export interface RoundReport {
  readonly round: number
  readonly cell: string
  readonly operations: number
  readonly slowestMs: number
  /** From the end of the fault to the first acknowledged write that was sent after it. Null if there was none. */
  readonly recoveryMs: number | null
  readonly violations: readonly string[]
}

/** Load before the fault, so that it hits requests of every kind. */
const warmUpMs = { min: 200, max: 800 }

/** The service works again within 10 s of a fault (reliability 5.2). A process also needs seconds to start. */
const recoveryMaxMs = 10_000
const restartMaxMs = 30_000

/** No write is waited for any longer. */
const giveUpMs = 120_000

/** Load after the recovery, so that writes follow the fault. */
const calmMs = 400

/** One round: load, a fault, recovery, the end of all deliveries, and then the invariants. */
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
  const violations: string[] = []
  const recovery = await disturb(world, { cell, load, random }).catch((error: unknown) => {
    violations.push(`The fault could not be applied: ${error instanceof Error ? error.stack : error}`)
    return undefined
  })
  const { operations, complaints, slowestMs } = await load.stop()
  await journal.close()
  violations.push(...complaints, ...lateRecovery(cell, recovery))
  if (!(await isSettled(world, shop))) violations.push(`The deliveries did not end within ${settleMaxMs / 1000} s.`)
  violations.push(...(await violationsOf(world, cell, { shop, path })).filter((each) => !world.reported.has(each)))
  for (const each of violations) world.reported.add(each)
  // So that its retries do not fall into the next rounds.
  await disableWebhookEndpoint(contextOf(database), operator, shop.tenant, shop.endpointId)
  return { round, cell: cell.name, operations, slowestMs, recoveryMs: recovery?.tookMs ?? null, violations }
}

/**
 * A request waits for the processor in three processes: the client, the service and the server. The first two are measured;
 * the connection of the server has as much to do as the service, and the same priority.
 */
function waitedMs({ api }: World): number {
  return processorWaitMs([process.pid]) + 2 * processorWaitMs([api.current().pid])
}

interface Recovery {
  readonly tookMs: number
  /** The part in which a process waited for a processor. */
  readonly starvedMs: number
}

interface Disturbance {
  readonly cell: Cell
  readonly load: Load
  readonly random: Random
}

async function disturb(world: World, { cell, load, random }: Disturbance): Promise<Recovery | undefined> {
  await wait(random.between(warmUpMs.min, warmUpMs.max))
  await cell.run(world, random)
  const endedMs = performance.now()
  const waitedBeforeMs = waitedMs(world)
  const timeout = wait(giveUpMs, null, { ref: false })
  const recoveredAtMs = await Promise.race([load.recoveredAfter(endedMs), timeout])
  const starvedMs = Math.max(0, waitedMs(world) - waitedBeforeMs)
  await wait(calmMs)
  return recoveredAtMs === null ? undefined : { tookMs: Math.round(recoveredAtMs - endedMs), starvedMs }
}

function lateRecovery({ restarts }: Cell, recovery: Recovery | undefined): string[] {
  const maxMs = restarts ? restartMaxMs : recoveryMaxMs
  if (recovery !== undefined && recovery.tookMs - recovery.starvedMs <= maxMs) return []
  return [`No write was acknowledged within ${maxMs / 1000} s of the fault.`]
}

/** A lease of a killed worker ends after 30 s, and its delivery may time out once more. */
const settleMaxMs = 75_000
const settlePollMs = 50

/** Waits until no delivery is in progress or due. */
async function isSettled({ database }: World, { tenant }: Shop): Promise<boolean> {
  const startedMs = performance.now()
  while (performance.now() - startedMs < settleMaxMs) {
    const { rowCount } = await database.pool.query(
      `select from webhook_deliveries
       where merchant_id = $1 and (lease_until is not null or next_attempt_at <= now()) limit 1`,
      [tenant.merchantId],
    )
    if (rowCount === 0) return true
    await wait(settlePollMs)
  }
  return false
}

/**
 * Returns what the receivers got, without repeated deliveries of cells whose fault causes them: a crash of PostgreSQL may lose a
 * lease, which is committed asynchronously, and a reset connection is replaced within the attempt.
 */
function receiptsOf({ receivers, repeating }: World): readonly Receipt[] {
  const seen = new Set<string>()
  return receivers.receipts.filter(({ path, eventId, bodyHash }) => {
    const receipt = `${path} ${eventId} ${bodyHash}`
    const isRepeated = seen.has(receipt)
    seen.add(receipt)
    return !isRepeated || !repeating.has(path.slice(1))
  })
}

interface Journalled {
  readonly shop: Shop
  /** The file of the journal. */
  readonly path: string
}

async function violationsOf(world: World, cell: Cell, { shop, path }: Journalled): Promise<string[]> {
  const { database, postgres, receivers, proxies } = world
  const { tenant } = shop
  const { ownerConnectionString } = postgres
  const nowMs = contextOf(database).clock.nowMs()
  if (cell.mayRepeat) world.repeating.add(tenant.merchantId)
  const seen = { url: through(receivers.url, proxies['worker-receiver']), receipts: receiptsOf(world) }
  const webhooks = await findViolations(ownerConnectionString, { receivers: seen, nowMs })
  const commerce = await findCommerceViolations(ownerConnectionString, { tenant, journal: await readJournal(path) })
  const { signer } = vault
  await sealAudit({ database, signer })
  const { faults } = await verifyAudit({ database, signer, chain: tenant.merchantId })
  return [
    ...[...webhooks, ...commerce].map(({ invariant, rows }) => `Not true: ${invariant}. ${JSON.stringify(rows)}`),
    ...faults.map((fault) => `The audit log is not intact: ${JSON.stringify(fault)}`),
  ]
}
