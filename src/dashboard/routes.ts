import { accountRoutes } from './account/routes.ts'
import { discountRoutes } from './discounts/routes.ts'
import type { Route } from './kit/route.ts'
import { tokenRoutes } from './tokens/routes.ts'

/** All pages and actions for signed-in members. */
export const allRoutes: readonly Route[] = [...accountRoutes, ...discountRoutes, ...tokenRoutes]
