import type { Markup } from '../../markup/markup.ts'
import { code, table, time } from '../../markup/parts.ts'
import type { listDeliveries } from '../../store/webhooks/delivery-list.ts'
import type { listEndpoints } from '../../store/webhooks/endpoints.ts'
import type { Choice } from '../kit/form.ts'
import { link } from '../kit/parts.ts'
import { resultText } from './attempts.ts'
import { deliveryStatus } from './status.ts'

type ListedDelivery = Awaited<ReturnType<typeof listDeliveries>>[number]
type Endpoints = Awaited<ReturnType<typeof listEndpoints>>

/**
 * `endpoints` are the existing endpoints of the merchant; a delivery to any other endpoint belongs to a deleted
 * endpoint.
 */
export function deliveryTable(deliveries: readonly ListedDelivery[], endpoints: Endpoints): Markup {
  const names = new Map(endpointChoices(endpoints).map(([id, name]) => [id, name]))
  return table('Deliveries', deliveries, [
    {
      title: 'Event',
      phone: 'title',
      cell: ({ id, kind, trigger }) => link(`/deliveries/${id}`, named(kind, trigger)),
    },
    { title: 'Status', phone: 'state', cell: deliveryStatus },
    { title: 'Endpoint', phone: 'detail', cell: ({ endpointId }) => names.get(endpointId) ?? code(endpointId) },
    { title: 'Attempts', phone: 'labelled', cell: ({ attemptCount }) => String(attemptCount), isNumber: true },
    { title: 'Last response', phone: 'detail', cell: lastResponse },
    {
      title: 'Next attempt',
      phone: 'labelled',
      cell: ({ nextAttemptAt }) => (nextAttemptAt === null ? '' : time(nextAttemptAt)),
    },
    { title: 'Created', phone: 'detail', cell: ({ createdAt }) => time(createdAt) },
  ])
}

export function endpointChoices(endpoints: Endpoints): readonly Choice[] {
  return endpoints.map(({ id, description, url }) => [id, description === '' ? url : description])
}

function named(kind: string, trigger: ListedDelivery['trigger']): string {
  return trigger === 'automatic' ? kind : `${kind} (${trigger})`
}

function lastResponse({ lastHttpStatus, lastErrorCode, lastDurationMs }: ListedDelivery): string {
  if (lastDurationMs === null) return ''
  return `${resultText(lastHttpStatus, lastErrorCode)} after ${lastDurationMs} ms`
}
