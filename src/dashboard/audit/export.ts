import { exportAudit } from '../../audit/export-audit.ts'
import { PageError } from '../kit/page-error.ts'
import { download } from '../kit/route.ts'
import { auditPath, readFilter, recordProblem } from './filter.ts'

/** The audit log as a file to download, with the filters of the list page. */
export const auditExport = download({
  path: `${auditPath}/export`,
  permission: 'audit:read',
  open: async (visit) => {
    const { filter, draft } = readFilter(visit)
    const problem = draft.problems[0] ?? (await recordProblem(visit, filter))
    if (problem !== undefined) throw new PageError(400, `The filter ${problem.field} is not valid: ${problem.message}`)
    return {
      name: `audit-${visit.tenant.merchantId}.ndjson`,
      type: 'application/x-ndjson; charset=utf-8',
      parts: exportAudit(visit.context.database, filter),
    }
  },
})
