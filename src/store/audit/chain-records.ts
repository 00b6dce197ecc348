import { type RawBuilder, sql } from 'kysely'
import type { MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { finding } from '../core/calls.ts'
import type { ReadDb } from '../core/database.ts'
import { type ReadStatement, reading } from '../core/statement.ts'
import type { ChainId } from './chain.ts'

/**
 * Signed audit rows that record changes of a hash chain itself: a restore from a backup, or new signatures of chain
 * heads that other keys had signed.
 */

/** A signed audit row about a hash chain. A field is null if the audit row has no value of the right type for the field. */
interface SignedRecord {
  readonly recordedAt: Timestamp
  readonly actor: string
  readonly keyId: string | null
  readonly signature: string | null
}

export interface RestoreRecord extends SignedRecord {
  readonly restoredTo: string | null
  readonly lastNumber: number | null
}

export interface ResignRecord extends SignedRecord {
  /** The position of the entry up to which the hash chain was signed again. */
  readonly number: number | null
  /** The hash, in hexadecimal digits, of the entry up to which the hash chain was signed again. */
  readonly hash: string | null
  /** The number of signed heads that could not be verified when the hash chain was signed again. */
  readonly unverifiedHeads: number | null
}

/**
 * Maximum number of audit rows that are read about restores, or about new signatures of a hash chain. No database has
 * so many of these rows.
 */
const recordsMax = 100

const textOf = (field: string) => sql`changes -> ${sql.lit(field)} ->> 1`

const numberOf = (field: string) => sql`
  case jsonb_typeof(changes -> ${sql.lit(field)} -> 1) when 'number' then (changes -> ${sql.lit(field)} -> 1)::float8 end`

/**
 * Declares two statements that read the audit rows with the given action: one for the hash chains of merchants, and one
 * for the hash chain of shared data.
 */
function recordsOf<Row>(action: string, label: string, fields: RawBuilder<unknown>) {
  const listOf = (log: RawBuilder<unknown>, condition: RawBuilder<unknown>) => sql<Row>`
    select
      ${fields}, occurred_at as recorded_at, actor_label as actor,
      ${textOf('keyId')} as key_id, ${textOf('signature')} as signature
    from ${log}
    where ${condition} and action collate "C" = ${sql.lit(action)}
    order by id desc
    limit ${sql.lit(recordsMax)}`
  return {
    ofMerchant: reading<{ chain: ChainId }>()(`list_${label}`, (p) =>
      listOf(sql`audit_log`, sql`merchant_id = ${p.chain}`),
    ),
    ofShared: reading<object>()(`list_shared_${label}`, () => listOf(sql`shared_audit_log`, sql`true`)),
  }
}

export const restoreAction = 'database.restore'
export const resignAction = 'audit.resign'

const restores = recordsOf<RestoreRecord>(
  restoreAction,
  'restores',
  sql`${textOf('restoredTo')} as restored_to, ${numberOf('lastNumber')} as last_number`,
)

const resignings = recordsOf<ResignRecord>(
  resignAction,
  'resignings',
  sql`${numberOf('number')} as number, ${textOf('hash')} as hash, ${numberOf('unverifiedHeads')} as unverified_heads`,
)

/** The latest restore comes first. */
export function listRestores(db: ReadDb, chain: ChainId): Promise<readonly RestoreRecord[]> {
  return listRecords(db, chain, restores)
}

/** Returns a record for each time that a hash chain was signed again with another key, the latest first. */
export function listResignings(db: ReadDb, chain: ChainId): Promise<readonly ResignRecord[]> {
  return listRecords(db, chain, resignings)
}

function listRecords<Row>(
  db: ReadDb,
  chain: ChainId,
  {
    ofMerchant,
    ofShared,
  }: { ofMerchant: ReadStatement<{ chain: ChainId }, Row>; ofShared: ReadStatement<object, Row> },
): Promise<readonly Row[]> {
  return chain === 'shared' ? db.read(ofShared, {}) : db.read(ofMerchant, { chain })
}

/**
 * Returns when the newest audit row of a merchant was stored. Undefined without any row. The newest row has the highest
 * id, because an id begins with the time.
 */
export const findLastChange = finding<{ merchantId: MerchantId }>()(
  'find_last_audit_time',
  (p) => sql<{ recordedAt: Timestamp | null }>`
    select recorded_at from audit_log where merchant_id = ${p.merchantId} order by id desc limit 1`,
)
