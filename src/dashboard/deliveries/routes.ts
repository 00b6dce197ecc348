import type { Route } from '../kit/route.ts'
import { deliveryList } from './list.ts'
import { replayManyAction, replayManyPage } from './replay-many.ts'
import { replayDeliveryAction } from './replay-one.ts'
import { cancelReplayAction, replayList } from './replays.ts'
import { deliveryPage } from './show.ts'

/** The first matching path counts, so the fixed paths come before the page of a delivery. */
export const deliveryRoutes: readonly Route[] = [
  deliveryList,
  replayManyPage,
  replayManyAction,
  replayList,
  cancelReplayAction,
  deliveryPage,
  replayDeliveryAction,
]
