import type { Route } from '../kit/route.ts'
import { cancelShipmentAction, cancelShipmentPage } from './cancel.ts'
import { closeAction, closePage } from './close.ts'
import { shipmentList } from './list.ts'
import { resolveAction, resolvePage } from './resolve.ts'
import { shipmentPage } from './show.ts'

export const shipmentRoutes: readonly Route[] = [
  shipmentList,
  shipmentPage,
  cancelShipmentPage,
  cancelShipmentAction,
  closePage,
  closeAction,
  resolvePage,
  resolveAction,
]
