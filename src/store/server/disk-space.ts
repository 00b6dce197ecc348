import pg from 'pg'
import { isDiskFull } from '../core/faults.ts'

/**
 * Detects that the disk of the database server is full. The server reports a full disk only to statements that need
 * more space, so the errors of a pool are observed. After such an error, the free space is checked directly. A request
 * could not show that space is available again, because a process that is not ready gets no requests.
 */
export interface DiskSpace {
  /**
   * Reports whether the disk of the database server is full. Runs a statement only after the server has reported a full
   * disk.
   */
  isFull(): Promise<boolean>
}

/**
 * Listens to the errors of the connections that the pool opens from now on. `requireSpace` rejects while the disk is
 * full.
 */
export function openDiskSpace(pool: pg.Pool, requireSpace: () => Promise<void>): DiskSpace {
  let wasReported = false
  pool.on('connect', (client) => {
    if (!(client instanceof pg.Client)) return
    client.connection.on('errorMessage', (message: unknown) => {
      wasReported ||= isDiskFull(message)
    })
  })
  return {
    isFull: async () => {
      if (!wasReported) return false
      try {
        await requireSpace()
        wasReported = false
      } catch (error) {
        if (!(error instanceof pg.DatabaseError)) throw error
        // If the database role may not create temporary files, the check fails with another error. Such a check cannot
        // show that space is free again, so the full disk is then no longer reported.
        wasReported = isDiskFull(error)
      }
      return wasReported
    },
  }
}

/**
 * Statement that fails when the disk of the server is full. It sorts more rows than fit into work_mem, so the server
 * writes a temporary file of half a megabyte. It writes no rows and no WAL. The temporary file is on the same disk as
 * the database, unless temp_tablespaces names another disk.
 */
const spill = `
  set local work_mem = '64kB';
  select count(*) from (select number from generate_series(1, 50000) as number order by number desc) as sorted`

export async function requireDiskSpace(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  // The two statements are sent in one message, so they run in one transaction. The command `set local` has no effect
  // outside a transaction.
  await client.query(spill)
}
