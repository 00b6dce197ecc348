import type { AuditFault } from './verify-audit.ts'

/** Returns a sentence about a fault, for people. A recorded restore is not an alteration. */
export function faultText(fault: AuditFault): string {
  const cause = fault.is === 'restored' ? 'The database was restored' : 'The audit log was altered'
  return `${cause}: ${faultSentence(fault)}`
}

/** Returns the end of a sentence about a fault, for people. */
export function faultSentence(fault: AuditFault): string {
  switch (fault.is) {
    case 'changed':
      return `row ${fault.auditId} at position ${fault.number} was changed after it was linked.`
    case 'missing':
      return `row ${fault.auditId} at position ${fault.number} was deleted.`
    case 'inserted':
      return `row ${fault.auditId} was inserted after later rows were linked.`
    case 'backdated':
      return `row ${fault.auditId} at position ${fault.number} was not stored at its time, ${fault.occurredAt}.`
    case 'gap':
      return `the entries before position ${fault.number} were deleted.`
    case 'head_invalid':
      return `the signed head at position ${fault.number} does not match the chain.`
    case 'head_not_found':
      return `the given head at position ${fault.number} is not in the chain, which was truncated or replaced.`
    case 'restored':
      return `the given head at position ${fault.number} was sealed after ${fault.restore.restoredTo}, to which the database was restored at ${fault.restore.restoredAt}. The restore kept the rows up to position ${fault.restore.lastNumber}.`
  }
}
