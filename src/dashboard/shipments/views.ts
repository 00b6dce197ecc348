import { beforePickupStatuses, type ShipmentStatus } from '../../../registry/logistics/shipment-states.ts'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { dayInLagos } from '../../base/calendar.ts'
import { dayStart } from '../kit/days.ts'
import { isSameQuery, type Tab } from '../kit/tabs.ts'

/** The saved views of the shipment list. A view is a set of filters. */

const moving: readonly ShipmentStatus[] = ['picked_up', 'in_transit', 'at_dropoff', 'returning']

const views: readonly (readonly [title: string, filters: Readonly<Record<string, string>>])[] = [
  ['All', {}],
  ['Waiting for pickup', { status: beforePickupStatuses.join(',') }],
  ['In transit', { status: moving.join(',') }],
  ['Problems', { exceptions: 'open' }],
  ['Delivered today', { delivered: 'today' }],
]

/** Returns the views of the list as tabs. A tab is current if the filters of its view equal the filters of the list. */
export function shipmentTabs(query: Readonly<Record<string, string>>): readonly Tab[] {
  const { cursor: _cursor, ...filters } = query
  return views.map(([title, own]) => ({ title, query: own, count: '', isCurrent: isSameQuery(own, filters) }))
}

/** Returns the start of today in Lagos. */
export function todayStart(now: Timestamp): string | undefined {
  return dayStart(dayInLagos(now))
}
