import type { Route } from '../kit/route.ts'
import { downloads } from './files.ts'
import { exportPage } from './show.ts'

export const exportRoutes: readonly Route[] = [exportPage, ...downloads]
