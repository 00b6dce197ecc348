import type { Timestamp } from '../../registry/values/vocabulary.ts'
import type { RecordedRestore } from './record-restore.ts'

/**
 * A contradiction between the rows of the audit log and its hash chain. `number` is the position of the contradiction
 * in the chain.
 */
export type AuditFault =
  /** The audit row, or its entry in the hash chain, was changed after the row was linked. */
  | { readonly is: 'changed'; readonly number: number; readonly auditId: string }
  /** The chain has an entry for an audit row that does not exist: the row was deleted. */
  | { readonly is: 'missing'; readonly number: number; readonly auditId: string }
  /**
   * The chain has no entry for an audit row, although it has entries for later rows: the row was inserted afterwards.
   */
  | { readonly is: 'inserted'; readonly auditId: string }
  /**
   * The row was not inserted at the time that it states, or the row was linked to the chain too long after its
   * insertion.
   */
  | { readonly is: 'backdated'; readonly number: number; readonly auditId: string; readonly occurredAt: Timestamp }
  /** At least one entry of the hash chain is missing directly before this position. */
  | { readonly is: 'gap'; readonly number: number }
  /** The signed head differs from the chain, its signature is invalid, or its signature belongs to another chain. */
  | { readonly is: 'head_invalid'; readonly number: number; readonly auditId?: string }
  | UnverifiedHead
  /** A chain head that the caller stored earlier is no longer in the chain: the chain was truncated or replaced. */
  | { readonly is: 'head_not_found'; readonly number: number }
  /**
   * A chain head that the caller stored earlier is no longer in the chain, because the database was restored to a time
   * before this head was signed.
   */
  | { readonly is: 'restored'; readonly number: number; readonly restore: RecordedRestore }

/**
 * The first chain head that is unsigned, or signed with a key that the service does not have. A superuser of the
 * database may have replaced the rows that this head covers.
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
