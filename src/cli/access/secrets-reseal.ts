import { z } from 'zod'
import { namesOf, othersThan, retireLost, retireOthers } from '../../access/keys/claim-keys.ts'
import { sealSecrets } from '../../access/keys/seal-secrets.ts'
import { chainOf, listChainOwners } from '../../audit/chain-record.ts'
import { faultText } from '../../audit/fault-sentence.ts'
import { resignAudit } from '../../audit/resign-audit.ts'
import { silentLog } from '../../base/log.ts'
import { type KeyHolder, listKeyHolders, listUsedKeys } from '../../store/access/encryption-keys.ts'
import { command } from '../kit/command.ts'
import { type CommandContext, connected } from '../kit/connect.ts'
import { CommandFailure } from '../kit/failure.ts'
import { operator } from '../kit/operator.ts'
import { option } from '../kit/option.ts'

export const secretsReseal = command({
  name: 'secrets reseal',
  summary:
    'Encrypt all secrets with the first key of ENCRYPTION_KEY and sign the audit logs with it, so that the service needs no older key.',
  options: z.strictObject({}),
  run: () =>
    connected(async (context) => {
      const { database, vault, keyFault } = context
      if (keyFault !== undefined) throw keyFault
      const [current] = vault.signer.keyIds
      if (current === undefined) throw new CommandFailure('ENCRYPTION_KEY is not set.')
      requireNoOthers(othersThan(current, await listKeyHolders(database, {})))
      const used = (await listUsedKeys(database, {})).map(({ id }) => id)
      const unreadable = await resealOrFail(context)
      const logs = used.every((id) => id === current) ? 0 : await resignAll(context)
      const outcome = await retireOthers(
        database,
        current,
        async () => (await sealSecrets(logged(context))) === unreadable,
      )
      if (outcome.is === 'in_use') requireNoOthers(outcome.holders)
      const retired = outcome.is === 'retired' ? outcome.keyIds : []
      const text = [
        `All secrets are encrypted with the key ${current}. ${logs} audit logs were signed anew.`,
        retired.length === 0
          ? 'No older encryption key was in use.'
          : `The service no longer needs ${retired.join(' and ')}. Remove each retired key from ENCRYPTION_KEY, and store it with the older backups, which still need it.`,
      ].join('\n')
      return { json: { keyId: current, logs, retired }, text }
    }),
})

const logged = ({ database, vault }: CommandContext) => ({ database, vault, log: silentLog })

function requireNoOthers(holders: readonly KeyHolder[]): void {
  if (holders.length === 0) return
  throw new CommandFailure(
    `These processes encrypt with another key: ${namesOf(holders)}. No key was retired. Restart the processes with the new key first in ENCRYPTION_KEY, and the old key after it.`,
  )
}

async function resealOrFail(context: CommandContext): Promise<0> {
  const unreadable = await sealSecrets(logged(context))
  if (unreadable === 0) return 0
  throw new CommandFailure(
    `${unreadable} secrets cannot be decrypted with any key of ENCRYPTION_KEY; commerce secrets list shows which. Add the key that encrypted them. All other secrets are now encrypted with the first key.`,
  )
}

/** Signs every audit log again with the current key. Returns the number of audit logs that have rows. */
async function resignAll(context: CommandContext): Promise<number> {
  const signing = { ...context, signer: context.vault.signer, actor: operator }
  let signed = 0
  for (const owner of await listChainOwners(context.database)) {
    const outcome = await resignAudit(signing, { owner, acceptsUnverified: false })
    if (outcome.is === 'not_verified')
      throw new CommandFailure(`${chainOf(owner)}: ${faultText(outcome.fault)} The old key was not retired.`)
    if (outcome.is === 'busy')
      throw new CommandFailure(
        `${chainOf(owner)}: new rows were linked to the hash chain while the command ran. Run the command again.`,
      )
    if (outcome.is === 'resigned') signed += 1
  }
  return signed
}

export const secretsRetire = command({
  name: 'secrets retire',
  summary:
    'Declare an encryption key lost, so that the service starts without the key. Secrets that were encrypted with this key must be created again.',
  options: z.strictObject({
    key: option(z.string().regex(/^[0-9a-f]{16}$/), {
      value: 'FINGERPRINT',
      meaning: 'The fingerprint of the lost key, as commerce secrets list shows it.',
      must: 'must be a fingerprint of 16 hexadecimal digits',
    }),
  }),
  run: ({ key }) =>
    connected(async ({ database, vault }) => {
      if (vault.signer.keyIds.includes(key))
        throw new CommandFailure(`ENCRYPTION_KEY has the key ${key}. Run commerce secrets reseal instead.`)
      if (!(await retireLost(database, key))) throw new CommandFailure(`No stored secret needs the key ${key}.`)
      const text = `The service now starts without the key ${key}. Run commerce secrets list, and create again each secret that cannot be decrypted. Then run commerce audit resign for each audit log.`
      return { json: { retired: key }, text }
    }),
})
