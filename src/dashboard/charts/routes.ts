import type { Route } from '../kit/route.ts'
import { activityPage } from './activity.ts'

export const chartRoutes: readonly Route[] = [activityPage]
