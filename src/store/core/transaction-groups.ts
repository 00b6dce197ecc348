import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import { boundsOfRequest, cappedWaitMs } from '../../base/deadline.ts'
import { inBackground } from '../../base/trace.ts'
import type { Database } from './database.ts'
import { type GroupEnd, type GroupMember, openTransactionGroup } from './transaction-group.ts'

/**
 * Forms groups of concurrent mutations of one merchant, which share a transaction. One group of a merchant runs at a
 * time: the mutations that arrive meanwhile form the next group, so groups grow with the load. A mutation without
 * concurrent ones has a transaction of its own.
 */
export interface TransactionGroups {
  /** Resolves when the mutation may run. Members of a group have different records and different idempotency keys. */
  join(merchantId: MerchantId, wanted: Wanted): Promise<Place>
}

/**
 * The locks of a mutation. Two members of a group must not need the same lock: a transaction can acquire a lock twice,
 * so the members would not wait for each other.
 */
export interface Wanted {
  readonly recordId: string
  /** The name of the lock of the idempotency key; undefined without a key. */
  readonly keyLockName: string | undefined
}

export type Place =
  | { readonly is: 'member'; readonly member: GroupMember }
  /** The mutation runs alone, and calls `leave` at its end. */
  | { readonly is: 'alone'; leave(): void }

/**
 * Maximum number of members of a group. In larger groups, the statements are hardly cheaper per member, and a failure
 * makes more members run again.
 */
const membersMax = 16

/** A mutation that waits longer than this runs alone: the group before it probably waits for a lock. */
const waitMs = 100

/**
 * How long the next group waits for as many mutations as the previous group had in flight: about the time in which a
 * busy client on the same machine sends its next request. Without this wait, the mutation that arrives first would
 * always be alone in its group.
 */
const gatherMs = 2

interface Waiting extends Wanted {
  /** Until when the request may wait in queues, by the process's monotonic timer. */
  readonly queuedUntilMs: number
  readonly inBounds: ReturnType<typeof boundsOfRequest>
  readonly timer: NodeJS.Timeout
  resolve(place: Place): void
}

const unobserved: Place = { is: 'alone', leave: () => undefined }

/** The waiting and running mutations of one merchant, which form groups. */
interface Lane {
  /** Mutations of the merchant that wait for a group, in order of arrival. */
  readonly waiting: Set<Waiting>
  isRunning: boolean
  /** Whether a mutation runs alone because no other was waiting. Mutations that arrive meanwhile form a group. */
  isAlone: boolean
  isScheduled: boolean
  /** Timer that runs while the next group waits for `expected` mutations. Undefined otherwise. */
  gathering: NodeJS.Timeout | undefined
  expected: number
}

export function openTransactionGroups(database: Pick<Database, 'connect'>): TransactionGroups {
  const lanes = new Map<MerchantId, Lane>()

  const start = (merchantId: MerchantId, lane: Lane) => {
    lane.isScheduled = false
    const expected = lane.gathering === undefined ? 1 : lane.expected
    if (lane.isRunning || lane.waiting.size < expected) return deleteIdle(merchantId, lane)
    const [first, ...others] = lane.waiting
    if (expected === 1 && first !== undefined && others.length === 0 && !lane.isAlone) {
      runAlone(merchantId, lane, first)
      return
    }
    clearTimeout(lane.gathering)
    lane.gathering = undefined
    lane.isRunning = true
    // A group serves several requests, and the next group starts at its end, so neither is part of the trace of a
    // single request.
    inBackground(() => {
      void runGroup(database, merchantId, takeMembers(lane.waiting)).then((end) => gather(merchantId, lane, end))
    })
  }

  const runAlone = (merchantId: MerchantId, lane: Lane, only: Waiting) => {
    lane.isAlone = true
    remove(lane.waiting, only)
    const leave = () => {
      lane.isAlone = false
      deleteIdle(merchantId, lane)
    }
    only.resolve({ is: 'alone', leave })
  }

  const deleteIdle = (merchantId: MerchantId, { isRunning, isAlone, gathering, waiting }: Lane) => {
    if (!isRunning && !isAlone && gathering === undefined && waiting.size === 0) lanes.delete(merchantId)
  }

  const gather = (merchantId: MerchantId, lane: Lane, end: GroupEnd | undefined) => {
    lane.isRunning = false
    // Only members that committed get their responses at this point; the others got theirs earlier.
    const answeredNow = end?.is === 'committed' ? end.memberCount : 0
    lane.expected = Math.max(1, Math.min(membersMax, answeredNow + lane.waiting.size))
    lane.gathering = setTimeout(() => {
      lane.gathering = undefined
      start(merchantId, lane)
      deleteIdle(merchantId, lane)
    }, gatherMs)
    start(merchantId, lane)
  }

  const join = (merchantId: MerchantId, wanted: Wanted) =>
    new Promise<Place>((resolve) => {
      const lane = lanes.get(merchantId) ?? openLane()
      lanes.set(merchantId, lane)
      const timer = setTimeout(() => {
        if (lane.waiting.delete(waiting)) resolve(unobserved)
      }, cappedWaitMs(waitMs))
      const queuedUntilMs = performance.now() + cappedWaitMs(Number.POSITIVE_INFINITY)
      const waiting = { ...wanted, queuedUntilMs, inBounds: boundsOfRequest(), timer, resolve }
      lane.waiting.add(waiting)
      if (lane.isScheduled) return
      lane.isScheduled = true
      // The next group starts after the requests that have arrived by now are read.
      setImmediate(start, merchantId, lane)
    })

  return { join }
}

function openLane(): Lane {
  return { waiting: new Set(), isRunning: false, isAlone: false, isScheduled: false, gathering: undefined, expected: 1 }
}

/**
 * Removes the members of the next group from the waiting mutations. A mutation whose record or key is already in the
 * group stays for a later group.
 */
function takeMembers(waiting: Set<Waiting>): readonly Waiting[] {
  const members: Waiting[] = []
  const taken = new Set<string>()
  for (const each of waiting) {
    if (members.length === membersMax) break
    const locks = [`record ${each.recordId}`, ...(each.keyLockName === undefined ? [] : [`key ${each.keyLockName}`])]
    if (locks.some((lock) => taken.has(lock))) continue
    for (const lock of locks) taken.add(lock)
    members.push(each)
    remove(waiting, each)
  }
  return members
}

function remove(waiting: Set<Waiting>, each: Waiting): void {
  waiting.delete(each)
  clearTimeout(each.timer)
}

/** Runs a group to its end. Resolves with undefined if it got no connection. Never rejects. */
async function runGroup(
  database: Pick<Database, 'connect'>,
  merchantId: MerchantId,
  members: readonly Waiting[],
): Promise<GroupEnd | undefined> {
  // The deadline of the group is the earliest deadline of its members.
  const earliest = members.reduce((first, each) => (each.queuedUntilMs < first.queuedUntilMs ? each : first))
  const client = await earliest.inBounds(() => database.connect(merchantId)).catch(() => undefined)
  if (client === undefined) {
    // Without a connection for the group, each member runs alone and gets its own error.
    for (const member of members) member.resolve(unobserved)
    return undefined
  }
  const group = openTransactionGroup(
    client,
    members.map(({ keyLockName }) => keyLockName),
  )
  for (const [index, { resolve }] of members.entries()) {
    const member = group.members[index]
    resolve(member === undefined ? unobserved : { is: 'member', member })
  }
  return group.closed
}
