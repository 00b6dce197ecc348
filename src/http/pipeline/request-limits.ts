import type { RequestBounds } from '../../base/deadline.ts'

/**
 * Limit for a request after its last byte, also when the database does not respond. A statement that begins just before the limit
 * may take half a second longer.
 */
export const totalMaxMs = 5_000

/** Limit for the time in queues. The rest is enough for the statements of a healthy database. */
export const queuedMaxMs = 4_000

/** The lookup of a token does not follow the disconnect of the client, because other requests with the token share it. */
export const lookupBounds: RequestBounds = {
  queuedMs: queuedMaxMs,
  totalMs: totalMaxMs,
  onDisconnect: () => () => undefined,
}
