import { z } from 'zod'
import { listStoredSecrets } from '../../access/keys/list-secrets.ts'
import { listKeyHolders, listUsedKeys } from '../../store/access/encryption-keys.ts'
import { command } from '../kit/command.ts'
import { connected } from '../kit/connect.ts'
import { table } from '../kit/output.ts'

export const secretsList = command({
  name: 'secrets list',
  summary: 'List the encryption keys, the processes that have each key, and the stored secrets that each key decrypts.',
  options: z.strictObject({}),
  run: () =>
    connected(async ({ database, vault, keyFault, configuredVault }) => {
      const [used, holders] = await Promise.all([listUsedKeys(database, {}), listKeyHolders(database, {})])
      const { groups, unopened } = await listStoredSecrets(database, configuredVault)
      const configured = vault.signer.keyIds
      const ids = [...new Set([...configured, ...used.map(({ id }) => id)])]
      const keys = ids.map((id) => ({
        key: id,
        configured: configured.includes(id) ? configured.indexOf(id) + 1 : 'no',
        usedSince: used.find((key) => key.id === id)?.usedSince ?? 'unused',
        processes: holders.filter(({ keyIds }) => keyIds.includes(id)).length,
      }))
      const text = [
        table(keys, ['key', 'configured', 'usedSince', 'processes']),
        table(
          groups.map((group) => ({ ...group })),
          ['kind', 'key', 'secrets', 'opened'],
        ),
        ...(unopened.length === 0
          ? []
          : ['These secrets cannot be decrypted:', ...unopened.map((binding) => Object.values(binding).join(' '))]),
        ...(keyFault === undefined ? [] : [keyFault.message]),
      ].join('\n')
      return { json: { keys, processes: holders, secrets: groups, unopened }, text }
    }),
})
