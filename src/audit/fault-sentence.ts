import { type AuditFault, isUnverified } from './audit-fault.ts'

/**
 * Returns a sentence that explains a fault found in the audit log. If a recorded database restore explains the fault,
 * the sentence names the restore as the cause, and not an alteration of the log.
 */
export function faultText(fault: AuditFault): string {
  return `${causeOf(fault)}: ${faultSentence(fault)}`
}

function causeOf(fault: AuditFault): string {
  if (isUnverified(fault)) return 'The audit log is not verified'
  return fault.is === 'restored' ? 'The database was restored' : 'The audit log was altered'
}

function faultSentence(fault: AuditFault): string {
  switch (fault.is) {
    case 'changed':
      return `row ${fault.auditId} at position ${fault.number} was changed after it was linked to the hash chain.`
    case 'missing':
      return `row ${fault.auditId} at position ${fault.number} was deleted.`
    case 'inserted':
      return `row ${fault.auditId} was inserted after later rows were linked to the hash chain.`
    case 'backdated':
      return `row ${fault.auditId} at position ${fault.number} was not stored at the time that it states, ${fault.occurredAt}.`
    case 'gap':
      return `the entries of the hash chain before position ${fault.number} were deleted.`
    case 'head_invalid':
      return `the chain head at position ${fault.number}${rowOf(fault)} does not match the chain, or its signature is invalid.`
    case 'head_unsigned':
      return `the chain head at position ${fault.number}${rowOf(fault)} has no signature. Rows after position ${fault.verifiedTo} are not verified.`
    case 'head_unknown_key':
      return `the chain head at position ${fault.number}${rowOf(fault)} is signed with the key ${fault.keyId}, which the service does not have. Rows after position ${fault.verifiedTo} are not verified.`
    case 'head_not_found':
      return `the given chain head at position ${fault.number} is not in the chain, which was truncated or replaced.`
    case 'restored':
      return `the given chain head at position ${fault.number} was sealed after ${fault.restore.restoredTo}, to which the database was restored at ${fault.restore.restoredAt}. The restore kept the rows up to position ${fault.restore.lastNumber}.`
  }
}

function rowOf({ auditId }: { readonly auditId?: string }): string {
  return auditId === undefined ? '' : `, row ${auditId},`
}
