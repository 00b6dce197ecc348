import { type Acted, action, page, type Route } from '../kit/route.ts'
import type { Visit } from '../kit/visit.ts'
import { chosenOrders } from './chosen-orders.ts'
import { dispatchAll } from './dispatch-offers.ts'
import { choiceOf, type DispatchFields, dispatchFields, fieldOf, type OrderChoice } from './form-fields.ts'
import { numberProblem, ordersPage } from './form-page.ts'
import { requestOffers } from './offers.ts'
import { offersPage } from './offers-page.ts'
import { hasPickup, pickupMissing } from './pickup.ts'
import { questionAboutDispatch } from './question.ts'
import { dispatchMessage, reasonMessage } from './refusals.ts'
import { resultPage } from './result-page.ts'
import { dispatchPath, offersPath, offersPathOf, outcomesPath, outcomesPathOf } from './step-paths.ts'

/**
 * The pages with which a member ships orders. The first step requests offers from the carriers for each order. The
 * second step dispatches one shipment for each order: it tries the carriers that have made an offer, the chosen carrier
 * first.
 */

const permission = 'logistics:dispatch'

const chosenPage = page({ path: dispatchPath, permission, show: (visit) => ordersPage(visit, visit.chosenIds) })

const orderPage = page({
  path: '/orders/{id}/dispatch',
  permission,
  show: (visit, { id }) => ordersPage(visit, [id]),
})

const offersOfChosen = page({ path: offersPath, permission, show: (visit) => offersPage(visit) })

const outcomes = page({ path: outcomesPath, permission, show: (visit) => resultPage(visit) })

const dispatchAction = action({
  path: dispatchPath,
  permission,
  done: 'The shipment was requested.',
  question: questionAboutDispatch,
  fields: dispatchFields,
  form: (visit, _params, draft) => ordersPage(visit, draft.values.id ?? [], draft),
  run: async (visit, _params, fields): Promise<Acted> => {
    const message = numberProblem(fields.id)
    if (message !== undefined) return { is: 'refused', message }
    const checked = (await chosenOrders(visit, fields.id)).map((order) => choiceOf(fields, order))
    const problem = checked.find((choice) => 'message' in choice)
    if (problem !== undefined) return { is: 'refused', ...problem }
    const choices = checked.filter((choice) => 'order' in choice)
    if (isDispatch(fields, choices)) return dispatch(visit, choices)
    return (await hasPickup(visit)) ? showOffers(visit, choices) : { is: 'refused', message: pickupMissing }
  },
})

/**
 * Whether the submitted form dispatches the orders. The form requests offers instead in three cases: it contains no
 * offers yet, the member asked for new offers, or the cash to collect has changed since the last request for offers.
 */
function isDispatch({ intent }: DispatchFields, choices: readonly OrderChoice[]): boolean {
  const isQuoted = choices.some(({ quoteId }) => quoteId !== undefined)
  return isQuoted && intent !== 'offers' && !choices.some(isRequoted)
}

const isRequoted = ({ quoteId, isCashChanged }: OrderChoice) => quoteId !== undefined && isCashChanged

async function showOffers(visit: Visit, choices: readonly OrderChoice[]): Promise<Acted> {
  const requested = await requestOffers(visit, choices)
  const [only] = requested
  if (only?.result.is === 'refused' && requested.length === 1) {
    const { refusal } = only.result
    const message = dispatchMessage(refusal)
    return refusal.code === 'cod_exceeds_due'
      ? { is: 'refused', field: fieldOf('cash', only.order.id), message }
      : { is: 'refused', message }
  }
  return { is: 'shown', to: offersPathOf(requested, choices.some(isRequoted)), hasChanged: false }
}

async function dispatch(visit: Visit, choices: readonly OrderChoice[]): Promise<Acted> {
  const dispatched = await dispatchAll(visit, choices)
  const [only] = dispatched
  if (only !== undefined && dispatched.length === 1) {
    const { result } = only
    if (result.is === 'dispatched') return { is: 'done', to: `/shipments/${result.shipmentId}` }
    if (result.is === 'refused') return { is: 'refused', message: reasonMessage(result.reason) ?? '' }
  }
  const hasChanged = dispatched.some(({ result }) => result.is !== 'refused')
  return { is: 'shown', to: outcomesPathOf(dispatched), hasChanged }
}

export const dispatchRoutes: readonly Route[] = [chosenPage, orderPage, offersOfChosen, outcomes, dispatchAction]
