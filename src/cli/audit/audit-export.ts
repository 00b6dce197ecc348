import { once } from 'node:events'
import { z } from 'zod'
import { exportAudit } from '../../audit/export-audit.ts'
import { command } from '../kit/command.ts'
import { connected } from '../kit/connect.ts'
import { tenantOf } from '../kit/tenant.ts'
import { auditFilterOf, auditFilterOptions } from './audit-entry.ts'

export const auditExport = command({
  name: 'audit export',
  summary: 'Print the audit log of a merchant as one JSON object per line (NDJSON), newest first.',
  options: z.strictObject(auditFilterOptions),
  run: (values) =>
    connected(async ({ database, clock }) => {
      const filter = auditFilterOf(await tenantOf(database, values), values, clock.nowMs())
      for await (const lines of exportAudit(database, filter)) {
        // If the program that reads the output is slow, such as a pager, the command waits for this program. Otherwise,
        // it would collect the whole audit log in memory.
        if (!process.stdout.write(lines)) await once(process.stdout, 'drain')
      }
      return undefined
    }),
})
