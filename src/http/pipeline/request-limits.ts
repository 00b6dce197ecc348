import type { RequestBounds } from '../../base/deadline.ts'

/**
 * Time limit for a request in milliseconds, after its last byte has arrived. It also applies when the database does not
 * respond. A statement that begins just before the limit may take half a second longer.
 */
export const totalMaxMs = 5_000

/**
 * Maximum time in milliseconds for which a request waits in queues. The rest of its time limit is enough for the SQL
 * statements on a healthy database.
 */
export const queuedMaxMs = 4_000

/**
 * Time limits for work that continues when the client disconnects: the lookup of a token, which several requests share;
 * the lookup of a session, which is one statement; and a callback, whose sender may not wait for the response.
 */
export const detachedBounds: RequestBounds = {
  queuedMs: queuedMaxMs,
  totalMs: totalMaxMs,
  onDisconnect: () => () => undefined,
}
