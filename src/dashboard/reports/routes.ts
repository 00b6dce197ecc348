import type { Route } from '../kit/route.ts'
import { salesReport } from './sales.ts'

export const reportRoutes: readonly Route[] = [salesReport]
