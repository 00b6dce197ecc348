import type { Signer } from '../base/signer.ts'
import { type ChainHead, type ChainId, type LinkedRow, listHeads } from '../store/audit/chain.ts'
import type { ReadDb } from '../store/core/database.ts'
import type { AuditFault } from './audit-fault.ts'
import { headVerdict } from './head-verdict.ts'
import type { Resigning } from './resignings.ts'

/** Verifies the signed heads of a chain while its entries are read in order. */
export interface Heads {
  /**
   * Verifies the chain heads up to an entry of the chain. If the entry is a chain head, the result contains the time at
   * which the entry was linked to the chain.
   */
  reach(entry: LinkedRow): Promise<{ readonly sealedAtMs: number | undefined; readonly faults: AuditFault[] }>
  /**
   * Reports whether no entry can follow the entries that were read so far. A worker may link further entries, together
   * with their head, after the entries were read. If there is a later head, the entries must therefore be read again.
   */
  isAtEnd(): Promise<boolean>
  /**
   * Verifies that the last chain head belongs to the last entry of the chain. A head that the worker has added since the
   * last call of `isAtEnd` is not read.
   */
  end(lastNumber: number): {
    readonly last: ChainHead | undefined
    readonly unverified: number
    readonly faults: AuditFault[]
  }
}

interface HeadsOptions {
  readonly database: ReadDb
  readonly signer: Signer
  readonly chain: ChainId
  /** The last head in the part of the hash chain that is already verified. */
  readonly before: ChainHead | undefined
  /** The latest row with which the operator signed the chain anew. */
  readonly resigning: Resigning | undefined
}

const pageSize = 1_000

export function openHeads(options: HeadsOptions): Heads {
  const { before, resigning } = options
  const next = openReader(options)
  let last = before
  let verifiedTo = before?.number ?? 0
  let unverified = 0
  let beyond: ChainHead | undefined
  /** Returns the fault of a chain head, if it has one. Of several heads that cannot be verified, reports the first. */
  const faultsOf = (head: ChainHead, { auditId, hash }: LinkedRow, isOfEntry: boolean): AuditFault[] => {
    const { number, keyId } = head
    const verdict = headVerdict(options.signer, options.chain, head)
    if (!isOfEntry) return [{ is: 'head_invalid', number }]
    if (!head.hash.equals(hash) || verdict === 'invalid') return [{ is: 'head_invalid', number, auditId }]
    if (verdict !== 'valid' && number > (resigning?.number ?? 0)) {
      unverified += 1
      if (unverified > 1) return []
      const at = { number, auditId, verifiedTo }
      return [keyId === null ? { is: 'head_unsigned', ...at } : { is: 'head_unknown_key', keyId, ...at }]
    }
    verifiedTo = number
    return []
  }
  return {
    reach: async (entry) => {
      const { number, auditId } = entry
      const isReplaced = resigning?.number === number && !resigning.hash.equals(entry.hash)
      const faults: AuditFault[] = isReplaced ? [{ is: 'head_invalid', number, auditId }] : []
      for (let head = await next.peek(); head !== undefined && head.number <= number; head = await next.peek()) {
        next.skip()
        last = head
        const isOfEntry = head.number === number
        faults.push(...faultsOf(head, entry, isOfEntry))
        if (isOfEntry && head.hash.equals(entry.hash)) return { sealedAtMs: Date.parse(head.sealedAt), faults }
      }
      return { sealedAtMs: undefined, faults }
    },
    isAtEnd: async () => {
      const earlier = beyond
      beyond = await next.peek()
      return beyond === undefined || beyond.number === earlier?.number
    },
    end: (lastNumber) => {
      const missing = [beyond?.number, resigning?.number].find((number) => number !== undefined && number > lastNumber)
      const isComplete = missing === undefined && (last?.number ?? 0) === lastNumber
      return { last, unverified, faults: isComplete ? [] : [{ is: 'head_invalid', number: missing ?? lastNumber }] }
    },
  }
}

function openReader({ database, chain, before }: HeadsOptions) {
  let page: readonly ChainHead[] = []
  let index = 0
  let after = before?.number ?? 0
  return {
    /** Undefined at the end of the chain. */
    peek: async (): Promise<ChainHead | undefined> => {
      if (index === page.length) {
        page = await listHeads(database, chain, { after, limit: pageSize })
        index = 0
      }
      return page[index]
    },
    skip: () => {
      after = page[index]?.number ?? after
      index += 1
    },
  }
}
