import type { Route } from '../kit/route.ts'
import { deliveryFile } from './file.ts'
import { deliveryList } from './list.ts'
import { replayManyAction, replayManyPage } from './replay-many.ts'
import { replayDeliveryAction } from './replay-one.ts'
import { cancelReplayAction, replayList } from './replays.ts'
import { deliveryPage } from './show.ts'

/**
 * The router uses the first matching path, so fixed paths come before the path of a delivery's page, which contains an
 * id.
 */
export const deliveryRoutes: readonly Route[] = [
  deliveryList,
  deliveryFile,
  replayManyPage,
  replayManyAction,
  replayList,
  cancelReplayAction,
  deliveryPage,
  replayDeliveryAction,
]
