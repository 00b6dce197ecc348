import { beforePickupStatuses, type ShipmentStatus } from '../../../registry/logistics/shipment-states.ts'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { dayInLagos } from '../../base/calendar.ts'
import { dayStart } from '../kit/days.ts'
import { isSameQuery, type Tab } from '../kit/tabs.ts'

const moving: readonly ShipmentStatus[] = ['picked_up', 'in_transit', 'at_dropoff', 'returning']

const views: readonly (readonly [title: string, filters: Readonly<Record<string, string>>])[] = [
  ['All', {}],
  ['Waiting for pickup', { status: beforePickupStatuses.join(',') }],
  ['In transit', { status: moving.join(',') }],
  ['Problems', { exceptions: 'open' }],
  ['Delivered today', { delivered: 'today' }],
]

export function shipmentTabs(query: Readonly<Record<string, string>>): readonly Tab[] {
  const { cursor: _cursor, ...filters } = query
  return views.map(([title, own]) => ({ title, query: own, count: '', isCurrent: isSameQuery(own, filters) }))
}

export function todayStart(now: Timestamp): string | undefined {
  return dayStart(dayInLagos(now))
}
