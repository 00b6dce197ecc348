import { z } from 'zod'
import { faultText } from '../../audit/fault-sentence.ts'
import { type ResignOutcome, resignAudit } from '../../audit/resign-audit.ts'
import { command } from '../kit/command.ts'
import { connected } from '../kit/connect.ts'
import { CommandFailure, UsageError } from '../kit/failure.ts'
import { operator } from '../kit/operator.ts'
import { flag, idOption, merchantOptions } from '../kit/option.ts'
import { tenantOf } from '../kit/tenant.ts'

export const auditResign = command({
  name: 'audit resign',
  summary:
    'Sign an audit log anew, and accept its chain heads that have no signature or whose signing key is lost. The log records the acceptance.',
  options: z.strictObject({
    merchant: idOption('The merchant.').optional(),
    mode: merchantOptions.mode,
    shared: flag(
      'Sign the audit log of shared data, which belongs to no merchant, instead of the audit log of a merchant.',
    ),
  }),
  run: ({ merchant, mode, shared }) => {
    if ((merchant === undefined) === (shared !== true)) throw new UsageError('Set either --merchant or --shared.')
    return connected(async (context) => {
      const { vault, database, keyFault } = context
      if (keyFault !== undefined) throw keyFault
      const owner = merchant === undefined ? 'shared' : await tenantOf(database, { merchant, mode })
      const signing = { ...context, signer: vault.signer, actor: operator }
      const outcome = await resignAudit(signing, { owner, acceptsUnverified: true })
      return { json: outcome, text: textOf(outcome) }
    })
  },
})

function textOf(outcome: ResignOutcome): string {
  switch (outcome.is) {
    case 'resigned':
      return `Signed ${outcome.rows} rows anew. ${outcome.unverifiedHeads} chain heads could not be verified, and their rows were accepted unverified.`
    case 'empty':
      return 'The audit log is empty.'
    case 'busy':
      throw new CommandFailure(
        'New rows were linked to the hash chain while the command ran. Nothing was accepted. Run the command again.',
      )
    case 'not_verified':
      throw new CommandFailure(`${faultText(outcome.fault)} Nothing was signed.`)
  }
}
