import { expect } from 'vitest'
import type { TestApi } from './api.ts'

/**
 * Runs a request while all connections of the database pool are in use, and returns the response. If a wait for a
 * connection of the pool ends before the request, returns a text that states this.
 */
export async function answeredFirst<Reply>(
  { database: { pool } }: Pick<TestApi, 'database'>,
  request: () => Promise<Reply>,
): Promise<Reply | string> {
  const clients = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
  try {
    const reply = request()
    const ended = pool.connect().then(
      () => 'a connection was free',
      () => 'the wait in the pool ended',
    )
    const first = await Promise.race([reply, ended])
    expect(await ended).toBe('the wait in the pool ended')
    return first
  } finally {
    for (const client of clients) client.release()
  }
}
