import { type Acted, action, page, type Route } from '../kit/route.ts'
import type { Visit } from '../kit/visit.ts'
import { chosenOrders } from './chosen-orders.ts'
import { type DispatchOutcome, dispatchAll } from './dispatch-offers.ts'
import {
  choiceOf,
  type DispatchFields,
  dispatchFields,
  fieldOf,
  type OrderChoice,
  questionAboutDispatch,
} from './form-fields.ts'
import { dispatchPath, hasPickup, numberProblem, offersPage, ordersPage, pickupMissing } from './form-page.ts'
import { requestOffers } from './offers.ts'
import { resultPage } from './result-page.ts'

/**
 * Ships orders. The first step requests offers from the carriers for each order. The second step dispatches the
 * shipments: for each order, it requests the carriers that have made an offer, the chosen carrier first.
 */

const permission = 'logistics:dispatch'

const chosenPage = page({ path: dispatchPath, permission, show: (visit) => ordersPage(visit, visit.chosenIds) })

const orderPage = page({
  path: '/orders/{id}/dispatch',
  permission,
  show: (visit, { id }) => ordersPage(visit, [id]),
})

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

/** Whether the form has offers that are still those for its cash, and the member did not ask for new ones. */
function isDispatch({ intent }: DispatchFields, choices: readonly OrderChoice[]): boolean {
  const isQuoted = choices.some(({ quoteId }) => quoteId !== undefined)
  return isQuoted && intent !== 'offers' && !choices.some(isRequoted)
}

const isRequoted = ({ quoteId, isCashChanged }: OrderChoice) => quoteId !== undefined && isCashChanged

async function showOffers(visit: Visit, choices: readonly OrderChoice[]): Promise<Acted> {
  const offered = await requestOffers(visit, choices)
  const [only] = offered
  if (only?.result.is === 'refused' && offered.length === 1) {
    const { code, message } = only.result
    return code === 'cod_exceeds_due'
      ? { is: 'refused', field: fieldOf('cash', only.order.id), message }
      : { is: 'refused', message }
  }
  const note = choices.some(isRequoted)
    ? 'The cash was changed, so these are new offers. Nothing was dispatched yet.'
    : undefined
  return { is: 'previewed', content: offersPage(visit, offered, note) }
}

async function dispatch(visit: Visit, choices: readonly OrderChoice[]): Promise<Acted> {
  const outcomes = await dispatchAll(visit, choices)
  const [only] = outcomes
  if (only !== undefined && outcomes.length === 1) return outcomeOfOne(visit, only)
  const content = resultPage(visit, outcomes)
  return outcomes.every(({ result }) => result.is === 'refused')
    ? { is: 'previewed', content }
    : { is: 'revealed', content }
}

function outcomeOfOne(visit: Visit, outcome: DispatchOutcome): Acted {
  const { result } = outcome
  switch (result.is) {
    case 'dispatched':
      return { is: 'done', to: `/shipments/${result.shipment.id}` }
    case 'refused':
      return { is: 'refused', message: result.message }
    case 'unknown':
      return { is: 'revealed', content: resultPage(visit, [outcome]) }
  }
}

export const dispatchRoutes: readonly Route[] = [chosenPage, orderPage, dispatchAction]
