import { z } from 'zod'
import { auditRecordOf } from '../../audit/audit-record.ts'
import { listAudit } from '../../store/audit/audit-list.ts'
import { listSharedAudit } from '../../store/core/shared-audit.ts'
import { command } from '../kit/command.ts'
import { connected } from '../kit/connect.ts'
import { limitOption, rowsShown } from '../kit/option.ts'
import { table } from '../kit/output.ts'
import { tenantOf } from '../kit/tenant.ts'
import { auditFilterOf, auditFilterOptions } from './audit-entry.ts'

export const auditList = command({
  name: 'audit list',
  summary: 'List the audit log of a merchant, newest first.',
  options: z.strictObject({ ...auditFilterOptions, limit: limitOption }),
  run: (values) =>
    connected(async ({ database, clock }) => {
      const filter = auditFilterOf(await tenantOf(database, values), values, clock.nowMs())
      const rows = (await listAudit(database, { ...filter, limit: values.limit ?? rowsShown })).map(auditRecordOf)
      const lines = rows.map((row) => ({ ...row, actor: nameOf(row.actor), resource: row.resource.id }))
      return { json: rows, text: table(lines, ['occurredAt', 'actor', 'action', 'resource', 'sourceIp']) }
    }),
})

export const auditShared = command({
  name: 'audit shared',
  summary: 'List the audit log of shared data that belongs to no merchant, such as surge, newest first.',
  options: z.strictObject({ limit: limitOption }),
  run: ({ limit }) =>
    connected(async ({ database }) => {
      const rows = (await listSharedAudit(database, limit ?? rowsShown)).map((row) => ({ ...row }))
      return {
        json: rows,
        text: table(rows, ['occurredAt', 'actorLabel', 'action', 'resourceId', 'sourceIp', 'changes']),
      }
    }),
})

/** Returns the name and id of an actor: names are not unique, and an id alone does not identify a person. */
function nameOf({ id, label }: { readonly id: string | null; readonly label: string }): string {
  return id === null || id === label ? label : `${label} (${id})`
}
