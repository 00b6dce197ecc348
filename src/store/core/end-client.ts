import pg from 'pg'

/** A healthy server closes the connection within milliseconds. A frozen server never does. */
const terminateTimeoutMs = 1_000

/** Sends Terminate and closes the socket if the server does not close the connection in time. */
export async function endClient(client: pg.Client): Promise<void> {
  const cut = setTimeout(() => cutClient(client), terminateTimeoutMs)
  try {
    await client.end()
  } finally {
    clearTimeout(cut)
  }
}

/** Closes the socket without Terminate. Pending queries and a pending connect reject. */
export function cutClient(client: pg.ClientBase): void {
  if (client instanceof pg.Client) client.connection.stream.destroy()
}

/** Reports whether the socket was closed. A pool learns of it a moment later. */
export function isCut(client: pg.ClientBase): boolean {
  return client instanceof pg.Client && client.connection.stream.destroyed
}

/** Runs work and calls `cut`, which makes the work fail, when the signal aborts. Rejects with the signal's reason then. */
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
