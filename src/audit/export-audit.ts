import { type AuditFilter, listAudit } from '../store/audit/audit-list.ts'
import type { ReadDb } from '../store/core/database.ts'
import { auditRecordOf } from './audit-record.ts'

/** Number of audit rows in one page. A page of this size has a few hundred kilobytes. */
const pageSize = 1_000

/**
 * Yields the audit log of a merchant as one JSON object per line (NDJSON), newest first. A page is read after the
 * consumer has taken the previous one, so a slow consumer occupies neither much memory nor a connection.
 */
export async function* exportAudit(
  db: ReadDb,
  filter: Omit<AuditFilter, 'limit' | 'beforeId'>,
): AsyncGenerator<string, void> {
  for (let beforeId: string | null | undefined = null; beforeId !== undefined; ) {
    const page = await listAudit(db, { ...filter, limit: pageSize, beforeId })
    if (page.length > 0) yield page.map((row) => `${JSON.stringify(auditRecordOf(row))}\n`).join('')
    beforeId = page.length < pageSize ? undefined : page.at(-1)?.id
  }
}
