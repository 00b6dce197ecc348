import type { Route } from '../kit/route.ts'
import { searchPage } from './show.ts'

export const searchRoutes: readonly Route[] = [searchPage]
