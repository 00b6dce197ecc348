import pg from 'pg'

/** A healthy server hangs up within milliseconds of the goodbye. A frozen one never does. */
const goodbyeMs = 1_000

/** Ends a connection with a goodbye to the server, and cuts it when the server does not hang up in time. */
export async function endClient(client: pg.Client): Promise<void> {
  const cut = setTimeout(() => cutClient(client), goodbyeMs)
  try {
    await client.end()
  } finally {
    clearTimeout(cut)
  }
}

/** Closes the socket without a goodbye. Whatever waits for the connection, also for its beginning, rejects. */
export function cutClient(client: pg.ClientBase): void {
  if (client instanceof pg.Client) client.connection.stream.destroy()
}

/** Does work that `cut` makes fail, and cuts it when the signal aborts. It rejects with the signal's reason then. */
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
