import pg from 'pg'

/**
 * Time to wait for the server to close the connection. A healthy server does so within milliseconds, a frozen server
 * never.
 */
const terminateTimeoutMs = 1_000

/** Ends a connection: sends Terminate, and closes the socket if the server does not close the connection in time. */
export async function endClient(client: pg.Client): Promise<void> {
  const cut = setTimeout(() => cutClient(client), terminateTimeoutMs)
  try {
    await client.end()
  } finally {
    clearTimeout(cut)
  }
}

/**
 * Closes the socket of a connection without sending PostgreSQL's Terminate message. Pending queries and a pending
 * connect reject.
 */
export function cutClient(client: pg.ClientBase): void {
  if (client instanceof pg.Client) client.connection.stream.destroy()
}

/**
 * Reports whether cutClient() closed the socket of a connection. The connection pool detects the closed socket only a
 * moment later.
 */
export function isCut(client: pg.ClientBase): boolean {
  return client instanceof pg.Client && client.connection.stream.destroyed
}

/**
 * Runs the function `work`, which a signal can abort. When the signal aborts, calls `cut`, which makes `work` fail, and
 * rejects with the signal's reason.
 */
export async function abortable<Result>(
  signal: AbortSignal | undefined,
  cut: () => void,
  work: () => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted()
  signal?.addEventListener('abort', cut)
  try {
    const result = await work()
    signal?.throwIfAborted()
    return result
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  } finally {
    signal?.removeEventListener('abort', cut)
  }
}
