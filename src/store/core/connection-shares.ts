import { cappedWaitMs, onAbandoned } from '../../base/deadline.ts'
import { QueueRefused, type Release } from './keyed-queue.ts'

/**
 * Divides the connections of the pool among the merchants. A merchant may use at most its share. It also never uses
 * more connections than are free outside the reserve at that moment. In a pool of 20 connections, one busy merchant
 * gets up to 8 connections, and two busy merchants get about 5 each. This is the rule of dynamic thresholds, with which
 * network switches divide a buffer. The reserve is for merchants that use no connection yet.
 */
export interface ConnectionShares {
  /**
   * Resolves when the merchant may use one more connection. Rejects with QueueRefused when the queue is full or the
   * wait times out.
   */
  enter(merchantId: string): Promise<Release>
  /** The number of requests that wait for a connection of the pool. */
  waiting(): number
  /**
   * The number of requests that wait because all connections outside the reserve are in use. Requests that wait only
   * because their merchant uses its whole share are not included.
   */
  waitingForPool(): number
}

export interface ShareLimits {
  readonly connections: number
  /** The maximum number of connections that one merchant may use. */
  readonly each: number
  /** The maximum number of requests of one merchant that wait for a connection. */
  readonly waitingMax: number
  /**
   * The maximum time in milliseconds that a request waits for a connection. The deadline of the request can shorten it.
   */
  readonly waitMs: number
}

interface Member {
  used: number
  /** Waiting requests in order of arrival. They are in a Set, because deleting an entry takes constant time. */
  readonly waiting: Set<() => void>
}

/**
 * Share of the pool that is reserved for merchants that use no connection yet. If 4 of 20 connections are in reserve,
 * four such merchants can each start a request at once, however busy the rest of the pool is.
 */
const reserveShare = 0.2

export function openConnectionShares({ connections, each, waitingMax, waitMs }: ShareLimits): ConnectionShares {
  /** Merchants that use or wait for a connection, in rotation order. The first merchant has waited longest. */
  const members = new Map<string, Member>()
  let used = 0
  let waiting = 0

  const reserve = Math.floor(connections * reserveShare)

  const mayUse = (member: Member) => {
    const free = connections - used
    return member.used === 0 ? free > 0 : member.used < Math.min(each, free - reserve)
  }

  const use = (merchantId: string, member: Member): Release => {
    member.used += 1
    used += 1
    let hasEnded = false
    return () => {
      if (hasEnded) return
      hasEnded = true
      member.used -= 1
      used -= 1
      if (waiting > 0) admitNext()
      removeIdle(merchantId, member)
    }
  }

  const removeIdle = (merchantId: string, { used: own, waiting: queue }: Member) => {
    if (own === 0 && queue.size === 0) members.delete(merchantId)
  }

  /** Gives free connections to waiting requests. The connections go to one request of each merchant in turn. */
  const admitNext = () => {
    for (const [merchantId, member] of [...members]) {
      const [next] = member.waiting
      if (next === undefined || !mayUse(member)) continue
      // A merchant that got a connection moves to the end of the map, so that all other waiting merchants precede it.
      members.delete(merchantId)
      members.set(merchantId, member)
      next()
    }
  }

  const enter = async (merchantId: string): Promise<Release> => {
    const member = members.get(merchantId) ?? { used: 0, waiting: new Set() }
    members.set(merchantId, member)
    if (member.waiting.size === 0 && mayUse(member)) return use(merchantId, member)
    if (member.waiting.size >= waitingMax) throw new QueueRefused(`${waitingMax} requests are already waiting.`)
    const { promise, resolve, reject } = Promise.withResolvers<Release>()
    let stopListening = () => {}
    const end = () => {
      if (!member.waiting.delete(proceed)) return false
      waiting -= 1
      clearTimeout(timer)
      stopListening()
      return true
    }
    const proceed = () => {
      if (end()) resolve(use(merchantId, member))
    }
    const refuse = (reason: string) => {
      if (!end()) return
      removeIdle(merchantId, member)
      reject(new QueueRefused(reason))
    }
    const limitMs = cappedWaitMs(waitMs)
    member.waiting.add(proceed)
    waiting += 1
    const timer = setTimeout(
      () => refuse(`No database connection became free within ${Math.round(limitMs)} ms.`),
      limitMs,
    )
    stopListening = onAbandoned(() => refuse('The client disconnected.'))
    return promise
  }

  const waitingForPool = () => (used >= connections - reserve ? waiting : 0)

  return { enter, waiting: () => waiting, waitingForPool }
}
