import { LRUCache } from 'lru-cache'

/**
 * Reports whether to log the rejection of a request: once a second for each token. Logging each of thousands of
 * rejections would cost more than the rejections.
 */
export type RejectionLog = (tokenId: string | undefined) => boolean

/**
 * This text takes the place of the token id for all requests without a valid token. The rejections of these requests
 * are logged together, once a second.
 */
const anonymous = 'anonymous'

/**
 * Maximum number of tokens whose last log line is stored. In one second, fewer tokens are rejected. If a token is
 * evicted, its next rejection is logged again.
 */
const tokensMax = 10_000

/** Minimum interval between log lines about one token, short enough to show when its requests are rejected. */
const loggedEveryMs = 1_000

export function openRejectionLog(nowMs: () => number): RejectionLog {
  const loggedMs = new LRUCache<string, number>({ max: tokensMax })
  return (tokenId = anonymous) => {
    const now = nowMs()
    if (now - (loggedMs.get(tokenId) ?? Number.NEGATIVE_INFINITY) < loggedEveryMs) return false
    loggedMs.set(tokenId, now)
    return true
  }
}
