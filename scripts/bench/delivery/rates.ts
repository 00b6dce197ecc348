import { availableParallelism } from 'node:os'
import { nodeOptions } from '../../start-command.ts'
import { requireMsAtMost } from '../verdict.ts'
import { startChild } from './child.ts'
import { type Cores, countCores } from './cores.ts'
import { type Committer, measureFlow } from './flow.ts'
import { lineOf, measureLatency } from './latency.ts'
import { endpointsEach } from './merchants.ts'
import { type Notified, type Phases, phasesOf } from './phases.ts'
import { openShops, type Stage } from './stage.ts'

/**
 * Upper limits of the median time from an event's commit to the first byte of its delivery, with the API and the worker
 * in separate processes.
 */
const singleCeilingMs = 25
const halfCeilingMs = 100

/** Number of mutations a second in the measurement of single mutations: so few that no two of them overlap. */
const singlesPerSecond = 10

const seconds = 5

/** Loads at which the delivery latency is measured, as fractions of the sustainable rate. */
const shares = [0.1, 0.25, 0.5, 0.75]

/**
 * Fraction of the sustainable rate at which the delivery latency must not exceed a limit. At this load, deliveries do
 * not queue.
 */
const half = 0.5

/**
 * Measures the delivery latency at several rates: once with a process that both commits and delivers, and once with one
 * process that commits and another that delivers. Returns the sustainable rate of the process that does both.
 */
export async function measureRates(stage: Stage, connectionString: string): Promise<number> {
  const api = await startChild('api.ts', [connectionString], nodeOptions)
  try {
    const sustainable = await measureCommitter(stage, { name: 'one process', child: stage.worker })
    await measureCommitter(stage, { name: 'separate API', child: api })
    return sustainable
  } finally {
    await api.stop()
  }
}

async function measureCommitter(stage: Stage, committer: Committer): Promise<number> {
  const sustainable = await measureFlow(stage, committer)
  const hasLimit = committer.child !== stage.worker
  const show = ({ line, p50Ms }: { line: string; p50Ms: number }, ceilingMs?: number) => {
    if (hasLimit && ceilingMs !== undefined) requireMsAtMost(line, p50Ms, ceilingMs)
    else console.log(line)
  }
  const single = { title: 'single events', deliveriesPerSecond: singlesPerSecond * endpointsEach }
  show(await measureRate(stage, committer, single), singleCeilingMs)
  for (const share of shares) {
    const rate = { title: `${share * 100} % of the sustainable rate`, deliveriesPerSecond: sustainable * share }
    show(await measureRate(stage, committer, rate), share === half ? halfCeilingMs : undefined)
  }
  return sustainable
}

interface Rate {
  readonly title: string
  readonly deliveriesPerSecond: number
}

async function measureRate(stage: Stage, { name, child }: Committer, { title, deliveriesPerSecond }: Rate) {
  const { database, receiver, worker } = stage
  const merchants = await openShops(stage, receiver)
  const parts = [
    { name: 'API', pid: child.pid },
    { name: 'worker', pid: worker.pid },
    { name: 'receiver', pid: receiver.pid },
  ].filter((part) => part.name !== 'API' || child !== worker)
  await worker.request({ takesNotifications: true })
  const countedCores = await countCores(database, parts)
  const load = { child, receiver, merchants, deliveriesPerSecond, seconds, name: `${name} ${title}` }
  const measured = await measureLatency(load)
  const cores = countedCores()
  const notified = await worker.request<readonly Notified[]>({ takesNotifications: true })
  const phases = await phasesOf(database, { merchants, notified, ...measured })
  const line = `${`${name}, ${title}`.padEnd(32)} ${lineOf(measured)}  ${phasesLine(phases)}; ${coresLine(cores)}`
  return { line, p50Ms: measured.p50Ms }
}

/** CPU utilisation above which the measured latency is caused by a lack of CPU time and not by the cost of a phase. */
const busyShare = 0.85

/** Names the CPU as the bottleneck if its use was high. */
function coresLine(cores: Cores): string {
  const used = Object.values(cores).reduce((sum, each) => sum + each, 0)
  const [most] = Object.entries(cores).sort(([, one], [, other]) => other - one)
  const each = Object.entries(cores).map(([name, count]) => `${name} ${count.toFixed(2)}`)
  const isBusy = used >= availableParallelism() * busyShare
  const bottleneck = isBusy && most !== undefined ? `; bottleneck: CPU, mostly ${most[0]}` : ''
  return `cores: ${each.join(', ')}${bottleneck}`
}

function phasesLine(phases: Phases): string {
  const known = Object.entries(phases).filter((phase): phase is [string, number] => phase[1] !== undefined)
  const longest = known.toSorted(([, one], [, other]) => other - one)[0]?.[0]
  return known.map(([name, ms]) => `${name} ${ms.toFixed(1)}${name === longest ? ' (longest)' : ''}`).join(', ')
}
