import { z } from 'zod'
import { listAudit } from '../store/audit.ts'
import { command } from './command.ts'
import { connected } from './connect.ts'
import { limitOption, merchantOptions, rowsShown } from './option.ts'
import { table } from './output.ts'
import { tenantOf } from './tenant.ts'

export const auditList = command({
  name: 'audit list',
  summary: 'List who changed what of a merchant’s, newest first.',
  options: z.strictObject({ ...merchantOptions, limit: limitOption }),
  run: (values) =>
    connected(async ({ database }) => {
      const { merchantId } = await tenantOf(database, values)
      const entries = await database.read(listAudit, { merchantId, limit: values.limit ?? rowsShown })
      const rows = entries.map((entry) => ({
        id: entry.id,
        occurredAt: entry.occurred_at,
        actor: { type: entry.actor_type, id: entry.actor_id, label: entry.actor_label },
        action: entry.action,
        resource: { type: entry.resource_type, id: entry.resource_id },
        requestId: entry.request_id,
        sourceIp: entry.source_ip,
        changes: entry.changes,
      }))
      const lines = rows.map((row) => ({ ...row, actor: row.actor.label, resource: row.resource.id }))
      return { json: rows, text: table(lines, ['occurredAt', 'actor', 'action', 'resource', 'sourceIp']) }
    }),
})
