import { z } from 'zod'
import { listAudit } from '../store/core/audit.ts'
import { listSharedAudit } from '../store/core/shared-audit.ts'
import { command } from './command.ts'
import { connected } from './connect.ts'
import { idOption, limitOption, merchantOptions, rowsShown, sinceOf, sinceOption, textOption } from './option.ts'
import { table } from './output.ts'
import { tenantOf } from './tenant.ts'

export const auditList = command({
  name: 'audit list',
  summary: 'List the audit log of a merchant, newest first.',
  options: z.strictObject({
    ...merchantOptions,
    actor: textOption(
      'Only changes by this actor: the id or name of a token or member, or the name of an operator.',
    ).optional(),
    action: textOption('Only this action, such as refund.create, or a group of them, such as refund.').optional(),
    resource: idOption('Only changes to the record with this id.').optional(),
    since: sinceOption('Only changes since this time'),
    until: sinceOption('Only changes before this time'),
    limit: limitOption,
  }),
  run: (values) =>
    connected(async ({ database, clock }) => {
      const { merchantId } = await tenantOf(database, values)
      const timeOf = (text: string | undefined) => (text === undefined ? null : sinceOf(text, clock.nowMs()))
      const entries = await listAudit(database, {
        merchantId,
        limit: values.limit ?? rowsShown,
        actor: values.actor ?? null,
        action: values.action ?? null,
        resourceId: values.resource ?? null,
        since: timeOf(values.since),
        until: timeOf(values.until),
      })
      const rows = entries.map((entry) => ({
        id: entry.id,
        occurredAt: entry.occurred_at,
        actor: { type: entry.actor_type, id: entry.actor_id, label: entry.actor_name ?? entry.actor_label },
        action: entry.action,
        resource: { type: entry.resource_type, id: entry.resource_id },
        requestId: entry.request_id,
        sourceIp: entry.source_ip,
        changes: entry.changes,
      }))
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
      return { json: rows, text: table(rows, ['occurredAt', 'actorLabel', 'action', 'resourceId', 'changes']) }
    }),
})

/** Returns the name and id of an actor: names are not unique, and an id alone does not identify a person. */
function nameOf({ id, label }: { readonly id: string | null; readonly label: string }): string {
  return id === null || id === label ? label : `${label} (${id})`
}
