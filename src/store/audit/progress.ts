import { sql } from 'kysely'
import type { ReadDb, WriteTrx } from '../core/database.ts'
import { reading, writing } from '../core/statement.ts'

/**
 * The progress of the job that links audit rows to the hash chains. It only saves work: regardless of the stored progress,
 * the job finds the same rows.
 */

/**
 * A position in a walk through the whole audit log, in the order of the primary key. A walk passes the log twice: rows
 * from before the hash chain, which have no recorded time, are linked before all others.
 */
export interface Walk {
  readonly pass: 'unrecorded' | 'recorded'
  /**
   * The merchant and the id of the last audit row that the current pass over the log has read. Both are empty before
   * the first row.
   */
  readonly merchantId: string
  readonly id: string
}

export interface Progress {
  /** Identity of the database cluster, whose transactions are numbered independently of all other clusters. */
  readonly cluster: string
  /** All transactions with a lower number than this have ended, so the rows that they wrote are visible. */
  readonly endedXid: number
  /** No row of the transaction with this number, or of a later transaction, is visible yet. */
  readonly nextXid: number
  /**
   * All audit rows of transactions with a lower number than this are linked to the hash chains once the walk through
   * the audit log has ended.
   */
  readonly fromXid: number
  /**
   * The walk through the whole audit log, on a new or restored database, where any audit row may be unlinked. Undefined
   * otherwise.
   */
  readonly walk: Walk | undefined
}

const find = reading<object>()(
  'audit_progress',
  () => sql<Omit<Progress, 'fromXid' | 'walk'> & Stored>`
    select
      here.cluster,
      pg_snapshot_xmin(here.snapshot)::text::bigint as ended_xid,
      pg_snapshot_xmax(here.snapshot)::text::bigint as next_xid,
      from_xid,
      walk_pass as pass,
      walk_merchant_id as merchant_id,
      walk_id as id
    from (
      select coalesce(split_part(server_identity(), '/', 1), '') as cluster, pg_current_snapshot() as snapshot
    ) as here
    left join audit_progress on audit_progress.cluster = here.cluster`,
)

interface Stored {
  readonly fromXid: number | null
  readonly pass: Walk['pass'] | null
  readonly merchantId: string | null
  readonly id: string | null
}

export async function findProgress(db: ReadDb): Promise<Progress> {
  const [row] = await db.read(find, {})
  if (row === undefined) throw new Error('The database server returned no snapshot.')
  const { cluster, endedXid, nextXid, fromXid, pass, merchantId, id } = row
  // The walk through the audit log starts again, because a restored database may number its transactions from a lower
  // value.
  if (fromXid === null || fromXid > endedXid)
    return { cluster, endedXid, nextXid, fromXid: endedXid, walk: { pass: 'unrecorded', merchantId: '', id: '' } }
  const walk = pass === null || merchantId === null || id === null ? undefined : { pass, merchantId, id }
  return { cluster, endedXid, nextXid, fromXid, walk }
}

const save = writing<Omit<Progress, 'endedXid' | 'nextXid' | 'walk'> & Stored>()(
  'save_audit_progress',
  (p) => sql`
    insert into audit_progress (is_only, cluster, from_xid, walk_pass, walk_merchant_id, walk_id)
    values (true, ${p.cluster}, ${p.fromXid}, ${p.pass}, ${p.merchantId}, ${p.id})
    on conflict (is_only) do update
      set cluster = excluded.cluster, from_xid = excluded.from_xid, walk_pass = excluded.walk_pass,
        walk_merchant_id = excluded.walk_merchant_id, walk_id = excluded.walk_id`,
)

/** Stores the progress of the job that links audit rows to the hash chains, for use after a restart. */
export function saveProgress(trx: WriteTrx, { cluster, fromXid, endedXid, walk }: Progress): void {
  // A transaction that is still running may add rows with a transaction number below `fromXid`.
  const from = Math.min(fromXid, endedXid)
  const position = walk ?? { pass: null, merchantId: null, id: null }
  trx.queue(save, { cluster, fromXid: from, ...position })
}
