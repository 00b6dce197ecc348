import { once } from 'node:events'
import { z } from 'zod'
import { listAudit } from '../store/audit/audit-list.ts'
import { auditEntryOf, auditFilterOf, auditFilterOptions } from './audit-entry.ts'
import { command } from './command.ts'
import { connected } from './connect.ts'
import { tenantOf } from './tenant.ts'

/** A few hundred kilobytes of rows. */
const pageSize = 1_000

export const auditExport = command({
  name: 'audit export',
  summary: 'Print the audit log of a merchant as one JSON object per line (NDJSON), newest first.',
  options: z.strictObject(auditFilterOptions),
  run: (values) =>
    connected(async ({ database, clock }) => {
      const filter = auditFilterOf(await tenantOf(database, values), values, clock.nowMs())
      for (let beforeId: string | null | undefined = null; beforeId !== undefined; ) {
        const page = await listAudit(database, { ...filter, limit: pageSize, beforeId })
        const lines = page.map((entry) => `${JSON.stringify(auditEntryOf(entry))}\n`).join('')
        // Waits for a slow reader, such as a file system or a pager, instead of collecting the log in memory.
        if (!process.stdout.write(lines)) await once(process.stdout, 'drain')
        beforeId = page.length < pageSize ? undefined : page.at(-1)?.id
      }
      return undefined
    }),
})
