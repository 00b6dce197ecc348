import pg from 'pg'
import { isDiskFull } from './faults.ts'

/**
 * Detects that the disk of the database server is full. The server reports it only to statements that need more space, so
 * this listens to the errors of a pool. Afterwards it checks for free space itself, because a process that is not ready gets
 * no requests that would show the end of the problem.
 */
export interface DiskSpace {
  /** Reports whether the disk is full. Runs a statement only after the server has reported it. */
  isFull(): Promise<boolean>
}

/** Listens to the connections that the pool opens from now on. `requireSpace` rejects while the disk is full. */
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
        // A role that is allowed no temporary files cannot find out, and must not report a full disk for ever.
        wasReported = isDiskFull(error)
      }
      return wasReported
    },
  }
}

/**
 * A sort that does not fit into work_mem. The server writes it to a temporary file of half a megabyte, which leaves nothing
 * behind, neither rows nor WAL. The file is on the disk of the data unless temp_tablespaces names another.
 */
const spill = `
  set local work_mem = '64kB';
  select count(*) from (select number from generate_series(1, 50000) as number order by number desc) as sorted`

/** Rejects if the server has no space for a temporary file. */
export async function requireDiskSpace(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  // Two statements in one message are one transaction, which the setting needs.
  await client.query(spill)
}
