import { setTimeout as wait } from 'node:timers/promises'
import type { Supervisor } from './supervisor.ts'

export const roles = ['api', 'worker'] as const

export type Role = (typeof roles)[number]

/** The readiness that a process must report during a fault: `not_ready`, `ready`, or either of the two. */
export type Expected = 'not_ready' | 'ready' | 'either'

/** A report of a process about its readiness. */
export interface Observation {
  readonly role: Role
  /** Whether the process is ready. Undefined when it did not respond. */
  readonly isReady: boolean | undefined
  readonly isLive: boolean | undefined
  /** The readiness checks that failed, with their details. */
  readonly detail: string
  readonly atMs: number
}

/** Reads the readiness probes of both processes during a round, on their management ports, which no fault affects. */
export interface ReadinessMonitor {
  /** The readiness reports of both processes in the order of their times. */
  readonly observations: readonly Observation[]
  stop(): Promise<void>
}

/** Poll interval: short compared with the five seconds in which a process must report a change. */
const pollMs = 100

/**
 * Timeout of a readiness probe. A frozen process does not respond; a slow process on a busy machine responds in time.
 */
const timeoutMs = 5_000

export function monitorReadiness(processes: Readonly<Record<Role, Supervisor>>): ReadinessMonitor {
  const stopping = new AbortController()
  const observations: Observation[] = []
  const follow = async (role: Role) => {
    while (!stopping.signal.aborted) {
      observations.push({ role, ...(await observe(processes[role].current().managementUrl)), atMs: performance.now() })
      await wait(pollMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }
  const following = Promise.all(roles.map(follow))
  return {
    observations,
    stop: async () => {
      stopping.abort()
      await following
    },
  }
}

interface Body {
  readonly checks: readonly { readonly name: string; readonly status: string; readonly detail?: string }[]
}

async function observe(managementUrl: string): Promise<Pick<Observation, 'isReady' | 'isLive' | 'detail'>> {
  const get = (path: string) => fetch(`${managementUrl}${path}`, { signal: AbortSignal.timeout(timeoutMs) })
  try {
    const ready = await get('/readyz')
    const { checks }: Body = JSON.parse(await ready.text())
    const live = await get('/livez')
    await live.arrayBuffer()
    const failed = checks.filter(({ status }) => status === 'failed')
    const detail = failed.map((check) => `${check.name}: ${check.detail}`).join(' ')
    return { isReady: ready.status === 200, isLive: live.status === 200, detail }
  } catch (error) {
    return { isReady: undefined, isLive: undefined, detail: `no response: ${error}` }
  }
}

export interface Probed {
  readonly observations: readonly Observation[]
  readonly expected: Readonly<Record<Role, Expected>>
  /** The processes of the service that the fault restarts. */
  readonly restarts: readonly Role[]
  /** Time at which the fault was applied. Undefined if the fault ended at once. */
  readonly appliedMs: number | undefined
}

export function readinessFaults(probed: Probed): string[] {
  return roles.flatMap((role) => faultsOf(role, probed))
}

function faultsOf(role: Role, { observations, expected, restarts, appliedMs }: Probed): string[] {
  const own = observations.filter((each) => each.role === role)
  const faults: string[] = []
  const dead = restarts.includes(role) ? undefined : own.find(({ isLive }) => isLive === false)
  if (dead !== undefined) faults.push(`The ${role} process reported that it is not live: ${dead.detail}`)
  const unready = own.find(({ isReady }) => isReady !== true)
  if (expected[role] === 'ready' && unready !== undefined)
    faults.push(`The ${role} process was not ready (${unready.detail}), and the fault does not concern it.`)
  if (expected[role] === 'not_ready' && !hasReported(own, role, appliedMs))
    faults.push(`The ${role} process was ready during the fault.`)
  return faults
}

/** Reports whether a process has said since the given time that it is not ready. */
export function hasReported(
  observations: readonly Observation[],
  role: Role,
  sinceMs = Number.POSITIVE_INFINITY,
): boolean {
  return observations.some((each) => each.role === role && each.isReady === false && each.atMs >= sinceMs)
}

/** Reports whether the last readiness report of a process since the given time says that it is ready. */
export function isReadySince(observations: readonly Observation[], role: Role, sinceMs: number): boolean {
  const last = observations.findLast((each) => each.role === role)
  return last !== undefined && last.isReady === true && last.atMs >= sinceMs
}
