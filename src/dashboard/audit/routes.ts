import type { Route } from '../kit/route.ts'
import { auditExport } from './export.ts'
import { auditList } from './list.ts'
import { auditEntryPage } from './show.ts'
import { auditVerification } from './verify.ts'

export const auditRoutes: readonly Route[] = [auditList, auditExport, auditVerification, auditEntryPage]
