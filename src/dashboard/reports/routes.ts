import type { Route } from '../kit/route.ts'
import { reportFile } from './file.ts'
import { salesReport } from './sales.ts'

export const reportRoutes: readonly Route[] = [salesReport, reportFile]
