import { isEventKind } from '../../../registry/kit/event.ts'
import { DeliveryId, EndpointId, EventId } from '../../../registry/values/vocabulary.ts'
import { deliveryStatuses } from '../../store/webhooks/delivery-list.ts'
import type { FieldProblem } from '../kit/draft.ts'
import { timeRangeOf } from '../kit/time-range.ts'

/** The filters of the delivery list and of the file of exported deliveries, by their names in the URL. */
export const filterNames = ['status', 'kind', 'event', 'endpoint', 'since', 'until', 'cursor'] as const

type Query = { readonly [Name in (typeof filterNames)[number]]?: string }

/** A malformed id is reported as a problem of its form field. */
export function filterOf({ status, kind, event, endpoint, since, until, cursor }: Query) {
  const eventId = event === undefined ? null : EventId.safeParse(event.trim())
  const endpointId = endpoint === undefined ? null : EndpointId.safeParse(endpoint)
  const range = timeRangeOf({ since, until })
  const problems: FieldProblem[] = [
    ...range.problems,
    ...(eventId?.success === false ? [{ field: 'event', message: 'An event id starts with evt_.' }] : []),
    ...(endpointId?.success === false ? [{ field: 'endpoint', message: 'Choose an endpoint.' }] : []),
  ]
  const filter = {
    status: deliveryStatuses.find((one) => one === status) ?? null,
    kind: kind !== undefined && isEventKind(kind) ? kind : null,
    eventId: eventId?.data ?? null,
    endpointId: endpointId?.data ?? null,
    since: range.since,
    until: range.until,
    beforeId: DeliveryId.safeParse(cursor).data ?? null,
  }
  return { filter, problems }
}
