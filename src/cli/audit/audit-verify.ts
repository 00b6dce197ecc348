import { z } from 'zod'
import { type AuditFault, isUnverified } from '../../audit/audit-fault.ts'
import { faultText } from '../../audit/fault-sentence.ts'
import { headPattern, headTextOf, knownHeadOf } from '../../audit/known-head.ts'
import type { Resigning } from '../../audit/resignings.ts'
import { sealChain } from '../../audit/seal-audit.ts'
import { type AuditVerdict, verifyAudit } from '../../audit/verify-audit.ts'
import { command } from '../kit/command.ts'
import { connected } from '../kit/connect.ts'
import { CommandFailure, UsageError } from '../kit/failure.ts'
import { flag, idOption, merchantOptions, option } from '../kit/option.ts'
import { json, write } from '../kit/output.ts'
import { tenantOf } from '../kit/tenant.ts'

export const auditVerify = command({
  name: 'audit verify',
  summary: 'Recompute the hash chain of an audit log, and report changed, missing and inserted rows.',
  options: z.strictObject({
    merchant: idOption('The merchant.').optional(),
    mode: merchantOptions.mode,
    shared: flag(
      'Verify the audit log of shared data, which belongs to no merchant, instead of the audit log of a merchant.',
    ),
    head: option(z.string().regex(headPattern).optional(), {
      value: 'N:HASH',
      meaning:
        'A head of the hash chain, from an earlier verification or an e-mail. The chain must still contain this head.',
      must: 'must be a number, a colon and 64 hexadecimal digits',
    }),
  }),
  run: ({ merchant, mode, shared, head }, { wantsJson }) => {
    if ((merchant === undefined) === (shared !== true)) throw new UsageError('Set either --merchant or --shared.')
    return connected(async ({ database, vault, keyFault }) => {
      const chain = merchant === undefined ? 'shared' : (await tenantOf(database, { merchant, mode })).merchantId
      const { signer } = vault
      // Audit rows of the last minute may not be linked to the hash chain yet, so the command links them first. Without
      // the right encryption key, they would be linked without a signature.
      if (keyFault === undefined) await sealChain({ database, signer }, chain)
      const verdict = await verifyAudit({
        database,
        signer,
        chain,
        known: head === undefined ? undefined : knownHeadOf(head),
      })
      if (verdict.faults.length > 0) {
        // With --json, the command prints the faults too, because a script needs them in addition to the exit code.
        if (wantsJson) write(json(jsonOf(verdict)))
        throw new CommandFailure(faultLine(verdict.faults))
      }
      return { json: jsonOf(verdict), text: textOf(verdict) }
    })
  },
})

function jsonOf({ chain, rows, head, unverifiedHeads, resigning, faults }: AuditVerdict) {
  return {
    chain,
    rows,
    isIntact: faults.length === 0,
    faults: faults.map((fault) => ({ ...fault, message: faultText(fault) })),
    unverifiedHeads,
    resigned:
      resigning === undefined
        ? null
        : {
            number: resigning.number,
            at: resigning.recordedAt,
            by: resigning.actor,
            unverifiedHeads: resigning.unverifiedHeads,
          },
    head:
      head === undefined
        ? null
        : {
            number: head.number,
            hash: head.hash.toString('hex'),
            sealedAt: head.sealedAt,
            keyId: head.keyId,
            signature: head.signature?.toString('base64') ?? null,
          },
  }
}

function textOf({ rows, head, resigning }: AuditVerdict): string {
  if (head === undefined) return 'The audit log is empty.'
  return [
    `The audit log is intact: ${rows} rows, each in its place in the hash chain.`,
    `Head of the chain: ${headTextOf(head)}, sealed at ${head.sealedAt}. Store this head elsewhere and verify with --head later.`,
    ...(resigning === undefined ? [] : [resigningLine(resigning)]),
  ].join('\n')
}

function resigningLine({ number, recordedAt, actor, unverifiedHeads }: Resigning): string {
  const line = `${actor} signed the rows up to position ${number} anew at ${recordedAt}.`
  return unverifiedHeads === 0
    ? line
    : `${line} ${unverifiedHeads} chain heads could not be verified at that time, and their rows were accepted unverified.`
}

/** Returns one line about the first fault of an audit log. Further faults may follow from the first one. */
function faultLine([first, ...others]: readonly AuditFault[]): string {
  if (first === undefined) return ''
  const more = others.length === 0 ? '' : ` ${others.length} more follow.`
  const fix = isUnverified(first)
    ? ' If you removed a key, add it to ENCRYPTION_KEY again, after the current one. If the service ran without a key, or a key is lost, run commerce audit resign.'
    : ''
  return `${faultText(first)}${more}${fix}`
}
