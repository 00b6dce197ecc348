import type { Timestamp } from '../../registry/values/vocabulary.ts'
import type { RecordedRestore } from './record-restore.ts'

/**
 * A contradiction between the rows of the audit log and its hash chain. `number` is the position of the contradiction
 * in the chain.
 */
export type AuditFault =
  /** The audit row, or its entry in the hash chain, was changed after the row was linked. */
  | { readonly is: 'changed'; readonly number: number; readonly auditId: string }
  /** The audit row of a chain entry does not exist. */
  | { readonly is: 'missing'; readonly number: number; readonly auditId: string }
  /** An audit row is in no entry of the chain, although later rows are: it was inserted afterwards. */
  | { readonly is: 'inserted'; readonly auditId: string }
  /** The row was not stored at the time that it states, or it was linked too long after it was stored. */
  | { readonly is: 'backdated'; readonly number: number; readonly auditId: string; readonly occurredAt: Timestamp }
  /** The chain has no entries before this position. */
  | { readonly is: 'gap'; readonly number: number }
  /** The signed head differs from the chain, its signature is invalid, or its signature belongs to another chain. */
  | { readonly is: 'head_invalid'; readonly number: number; readonly auditId?: string }
  | UnverifiedHead
  /** A head that the caller knows is not in the chain: the chain was truncated or replaced. */
  | { readonly is: 'head_not_found'; readonly number: number }
  /**
   * The head that the caller knows was sealed after the time to which the database was restored, so the restore removed
   * it.
   */
  | { readonly is: 'restored'; readonly number: number; readonly restore: RecordedRestore }

/**
 * The first head of the hash chain whose signature cannot be verified: a superuser of the database may have replaced
 * the rows that the head covers.
 */
export type UnverifiedHead = {
  readonly number: number
  readonly auditId: string
  /** Position in the hash chain up to which rows are verified. Later rows are not verified. */
  readonly verifiedTo: number
} & ({ readonly is: 'head_unsigned' } | { readonly is: 'head_unknown_key'; readonly keyId: string })

export function isUnverified(fault: AuditFault): fault is UnverifiedHead {
  return fault.is === 'head_unsigned' || fault.is === 'head_unknown_key'
}
