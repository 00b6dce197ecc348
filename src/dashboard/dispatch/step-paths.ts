import type { ListedOrderToShip } from '../../store/orders/order-parcels.ts'
import { koboText } from '../kit/parts.ts'
import type { Visit } from '../kit/visit.ts'
import type { DispatchOutcome } from './dispatch-offers.ts'
import { type DispatchFields, dispatchFields, fieldOf, usualCashOf } from './form-fields.ts'
import type { RequestedQuote } from './offers.ts'

/**
 * The paths of the pages to which the dispatch form redirects. The queries of these paths contain the orders and the
 * outcome for each order. The pages can therefore be reloaded, and reached with the browser's Back button. Query
 * parameters have the same names as the form fields.
 */

export const dispatchPath = '/orders/dispatch'

export const offersPath = `${dispatchPath}/offers`

export const outcomesPath = `${dispatchPath}/outcomes`

export const slipsOfAll = '/orders/slips'

export function slipsPath(ids: readonly string[]): string {
  return chosenPath(slipsOfAll, ids)
}

export function chosenPath(path: string, ids: readonly string[]): string {
  return pathOf(
    path,
    ids.map((id) => ['id', id]),
  )
}

type Parameter = readonly [name: string, value: string]

type OrderParameter = 'reason' | 'shipment'

const parameterOf = (name: OrderParameter, orderId: string) => `${name}-${orderId}`

export function parameterIn({ query }: Pick<Visit, 'query'>, name: OrderParameter, orderId: string) {
  return query[parameterOf(name, orderId)]
}

export function fieldsIn({ query, chosenIds }: Visit): DispatchFields {
  const { intent: _intent, ...fields } = query
  return dispatchFields.parse({ ...fields, id: chosenIds })
}

export function offersPathOf(requested: readonly RequestedQuote[], isRequoted: boolean): string {
  const parameters = requested.flatMap(({ order, cashKobo, result }) => [
    ...formParameters(order, cashKobo),
    result.is === 'quoted'
      ? ([fieldOf('quote', order.id), result.quoteId] as const)
      : ([parameterOf('reason', order.id), result.refusal.code] as const),
  ])
  return pathOf(offersPath, isRequoted ? [...parameters, ['requoted', 'yes']] : parameters)
}

export function outcomesPathOf(outcomes: readonly DispatchOutcome[]): string {
  return pathOf(
    outcomesPath,
    outcomes.flatMap(({ order, cashKobo, result }) => [
      ...formParameters(order, cashKobo),
      ...(result.is === 'refused' ? [[parameterOf('reason', order.id), result.reason] as const] : []),
      ...(result.is === 'unknown' || result.shipmentId === undefined
        ? []
        : [[parameterOf('shipment', order.id), result.shipmentId] as const]),
    ]),
  )
}

function formParameters(order: ListedOrderToShip, cashKobo: number | undefined): readonly Parameter[] {
  const due = usualCashOf(order)
  return [
    ['id', order.id],
    ...(due === undefined ? [] : [[fieldOf('due', order.id), koboText(due)] as const]),
    ...(cashKobo === undefined ? [] : [[fieldOf('cash', order.id), koboText(cashKobo)] as const]),
  ]
}

function pathOf(path: string, parameters: readonly Parameter[]): string {
  return `${path}?${String(new URLSearchParams(parameters.map(([name, value]): [string, string] => [name, value])))}`
}
