import type { Route } from '../kit/route.ts'
import { dispatchReturnAction, dispatchReturnPage } from './dispatch.ts'
import { returnList } from './list.ts'
import { receiveReturnAction, receiveReturnPage } from './receive.ts'
import { refundReturnAction } from './refund.ts'
import { returnPage } from './show.ts'
import { transitionReturnAction } from './transition.ts'

export const returnRoutes: readonly Route[] = [
  returnList,
  returnPage,
  transitionReturnAction,
  receiveReturnPage,
  receiveReturnAction,
  refundReturnAction,
  dispatchReturnPage,
  dispatchReturnAction,
]
