import type { Route } from '../kit/route.ts'
import { createReturnAction, newReturnPage } from './create.ts'
import { dispatchReturnAction, dispatchReturnPage } from './dispatch.ts'
import { returnList } from './list.ts'
import { receiveReturnAction, receiveReturnPage } from './receive.ts'
import { refundReturnAction, refundReturnPage } from './refund.ts'
import { returnPage } from './show.ts'
import { transitionReturnAction } from './transition.ts'

export const returnRoutes: readonly Route[] = [
  returnList,
  newReturnPage,
  createReturnAction,
  returnPage,
  transitionReturnAction,
  receiveReturnPage,
  receiveReturnAction,
  refundReturnPage,
  refundReturnAction,
  dispatchReturnPage,
  dispatchReturnAction,
]
