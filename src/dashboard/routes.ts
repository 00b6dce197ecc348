import { accountRoutes } from './account/routes.ts'
import { auditRoutes } from './audit/routes.ts'
import { chartRoutes } from './charts/routes.ts'
import { customerRoutes } from './customers/routes.ts'
import { deliveryRoutes } from './deliveries/routes.ts'
import { discountRoutes } from './discounts/routes.ts'
import { dispatchRoutes } from './dispatch/routes.ts'
import { eventRoutes } from './events/routes.ts'
import { exportRoutes } from './exports/routes.ts'
import { importRoutes } from './imports/routes.ts'
import type { Route } from './kit/route.ts'
import { memberRoutes } from './members/routes.ts'
import { notificationRoutes } from './notifications/routes.ts'
import { orderRoutes } from './orders/routes.ts'
import { packingRoutes } from './packing/slips.ts'
import { productRoutes } from './products/routes.ts'
import { refundRoutes } from './refunds/routes.ts'
import { reportRoutes } from './reports/routes.ts'
import { requestRoutes } from './requests/routes.ts'
import { returnRoutes } from './returns/routes.ts'
import { searchRoutes } from './search/routes.ts'
import { settingRoutes } from './settings/routes.ts'
import { shipmentRoutes } from './shipments/routes.ts'
import { stockRoutes } from './stock/routes.ts'
import { todayRoutes } from './today/routes.ts'
import { tokenRoutes } from './tokens/routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'

export const allRoutes: readonly Route[] = [
  ...todayRoutes,
  ...searchRoutes,
  ...chartRoutes,
  ...notificationRoutes,
  // The dispatch and packing routes precede the order routes, because the router would take the last part of their
  // paths for an order id.
  ...dispatchRoutes,
  ...packingRoutes,
  ...orderRoutes,
  ...shipmentRoutes,
  ...refundRoutes,
  ...returnRoutes,
  ...reportRoutes,
  ...productRoutes,
  ...stockRoutes,
  ...importRoutes,
  ...exportRoutes,
  ...customerRoutes,
  ...discountRoutes,
  ...accountRoutes,
  ...tokenRoutes,
  ...webhookRoutes,
  ...deliveryRoutes,
  ...eventRoutes,
  ...memberRoutes,
  ...settingRoutes,
  ...auditRoutes,
  ...requestRoutes,
]
