import { cappedWaitMs, onAbandoned } from '../../base/deadline.ts'
import { QueueRefused, type Release } from './keyed-queue.ts'

/**
 * Divides the connections of the pool among the merchants. A merchant may use at most its share, and fewer the fewer are free:
 * never more than are free at that moment beyond the reserve. So one merchant gets 8 of 20, and two get about 5 each. This is the
 * rule of dynamic thresholds, with which network switches divide a buffer. The reserve is for merchants that use none.
 */
export interface ConnectionShares {
  /** Resolves when the merchant may use one more connection. Rejects with QueueRefused on a full queue or timeout. */
  enter(merchantId: string): Promise<Release>
  /** The number of requests that wait. */
  waiting(): number
  /** The number of requests that wait while the pool is in use up to the reserve, rather than only for their own share. */
  waitingForPool(): number
}

export interface ShareLimits {
  /** The connections of the pool. */
  readonly connections: number
  /** The most connections of one merchant. */
  readonly each: number
  /** The maximum number of waiting requests of one merchant. */
  readonly waitingMax: number
  /** The maximum waiting time. The deadline of the request can shorten it. */
  readonly waitMs: number
}

interface Member {
  used: number
  /** In order of arrival. A Set, because deleting an entry takes constant time. */
  readonly waiting: Set<() => void>
}

/** A fifth of the pool: as many other merchants can start a request at once, however busy the rest is. */
const reserveShare = 0.2

export function openConnectionShares({ connections, each, waitingMax, waitMs }: ShareLimits): ConnectionShares {
  /** Merchants that use or wait for a connection. The one that waits longest for its turn is first. */
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
      admitNext()
      removeIdle(merchantId, member)
    }
  }

  const removeIdle = (merchantId: string, { used: own, waiting: queue }: Member) => {
    if (own === 0 && queue.size === 0) members.delete(merchantId)
  }

  /** Admits waiting requests, one of each merchant in turn. */
  const admitNext = () => {
    if (waiting === 0) return
    for (const [merchantId, member] of [...members]) {
      const [next] = member.waiting
      if (next === undefined || !mayUse(member)) continue
      // To the end of the turn.
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
    const timer = setTimeout(() => refuse(`No connection became free within ${Math.round(limitMs)} ms.`), limitMs)
    stopListening = onAbandoned(() => refuse('The client disconnected.'))
    return promise
  }

  const waitingForPool = () => (used >= connections - reserve ? waiting : 0)

  return { enter, waiting: () => waiting, waitingForPool }
}
