import { z } from 'zod'
import type { EventKind } from '../../../registry/kit/event.ts'
import { DeliveryId, EventId } from '../../../registry/values/vocabulary.ts'
import { replayDelivery } from '../../access/replay-delivery.ts'
import { listAttempts } from '../../store/webhooks/attempts.ts'
import {
  type DeliveryFilter,
  type DeliveryStatus,
  deliveryStatuses,
  listDeliveries,
} from '../../store/webhooks/delivery-list.ts'
import { command } from '../kit/command.ts'
import { connected } from '../kit/connect.ts'
import { endpointIdOf } from '../kit/endpoint.ts'
import { CommandFailure, notFound } from '../kit/failure.ts'
import { operator } from '../kit/operator.ts'
import {
  idOption,
  kindOption,
  limitOption,
  merchantOptions,
  option,
  rowsShown,
  sinceOf,
  sinceOption,
} from '../kit/option.ts'
import { table } from '../kit/output.ts'
import { tenantOf } from '../kit/tenant.ts'

export const deliveryList = command({
  name: 'delivery list',
  summary: 'List a merchant’s webhook deliveries and their outcomes, newest first.',
  options: z.strictObject({
    ...merchantOptions,
    endpoint: idOption('Lists only deliveries to this endpoint.').optional(),
    status: option(z.enum(deliveryStatuses).optional(), {
      value: deliveryStatuses.join('|'),
      meaning: 'Lists only deliveries in this status.',
      must: `must be one of ${deliveryStatuses.join(', ')}`,
    }),
    event: idOption('Lists only deliveries of the event with this id, including replays.').optional(),
    kind: kindOption.optional(),
    since: sinceOption('Lists only deliveries created since this time'),
    until: sinceOption('Lists only deliveries created before this time'),
    before: idOption(
      'Lists only deliveries older than the delivery with this id, such as the last id of the previous page.',
    ).optional(),
    limit: limitOption,
  }),
  run: (values) =>
    connected(async ({ database, clock }) => {
      const { merchantId } = await tenantOf(database, values)
      const filter = deliveryFilterOf(values, clock.nowMs())
      const page = await listDeliveries(database, { ...filter, merchantId, limit: values.limit ?? rowsShown })
      const rows = page.map((row) => ({ ...row }))
      const outcome = ['attemptCount', 'lastHttpStatus', 'lastErrorCode', 'nextAttemptAt']
      const columns = ['id', 'createdAt', 'kind', 'trigger', 'status', ...outcome]
      return { json: rows, text: table(rows.map(withShownStatus), columns) }
    }),
})

/**
 * A delivery that has failed and waits because its endpoint is disabled is shown with both statuses: `failed, held`.
 */
function withShownStatus<Row extends { readonly status: string; readonly attemptCount: number }>(row: Row) {
  return row.status === 'held' && row.attemptCount > 0 ? { ...row, status: 'failed, held' } : row
}

interface FilterValues {
  readonly endpoint?: string | undefined
  readonly status?: DeliveryStatus | undefined
  readonly event?: string | undefined
  readonly kind?: EventKind | undefined
  readonly since?: string | undefined
  readonly until?: string | undefined
  readonly before?: string | undefined
}

function deliveryFilterOf(values: FilterValues, nowMs: number): Omit<DeliveryFilter, 'merchantId' | 'limit'> {
  const timeOf = (text: string | undefined) => (text === undefined ? null : sinceOf(text, nowMs))
  return {
    endpointId: values.endpoint === undefined ? null : endpointIdOf(values.endpoint),
    status: values.status ?? null,
    eventId: values.event === undefined ? null : eventIdOf(values.event),
    kind: values.kind ?? null,
    since: timeOf(values.since),
    until: timeOf(values.until),
    beforeId: values.before === undefined ? null : deliveryIdOf(values.before),
  }
}

function eventIdOf(text: string): EventId {
  const parsed = EventId.safeParse(text)
  if (!parsed.success) throw notFound(`event ${text}`)
  return parsed.data
}

function deliveryIdOf(text: string): DeliveryId {
  const parsed = DeliveryId.safeParse(text)
  if (!parsed.success) throw notFound(`delivery ${text}`)
  return parsed.data
}

export const deliveryShow = command({
  name: 'delivery show',
  summary: 'Show every attempt of a delivery, with its timings and response.',
  options: z.strictObject({ ...merchantOptions, delivery: idOption('The delivery.') }),
  run: (values) =>
    connected(async ({ database }) => {
      const { merchantId } = await tenantOf(database, values)
      const id = DeliveryId.safeParse(values.delivery)
      const attempts = id.success ? await listAttempts(database, { merchantId, deliveryId: id.data }) : []
      if (attempts.length === 0) throw notFound(`attempts of a delivery ${values.delivery}`)
      const rows = attempts.map((attempt) => ({ ...attempt }))
      const timings = ['dnsMs', 'connectMs', 'tlsMs', 'firstByteMs', 'durationMs', 'isReused']
      const columns = ['number', 'startedAt', 'outcome', 'httpStatus', 'errorCode', ...timings, 'responseBody']
      return { json: rows, text: table(rows, columns) }
    }),
})

export const deliveryReplay = command({
  name: 'delivery replay',
  summary: 'Replay a delivery: send its event to the endpoint again, with the same id and bytes.',
  options: z.strictObject({ ...merchantOptions, delivery: idOption('The delivery.') }),
  run: (values) =>
    connected(async (context) => {
      const tenant = await tenantOf(context.database, values)
      const original = DeliveryId.safeParse(values.delivery)
      const outcome = original.success
        ? await replayDelivery(context, operator, tenant, original.data)
        : { is: 'delivery_unknown' as const }
      switch (outcome.is) {
        case 'queued': {
          const { deliveryId, eventId, endpointId } = outcome
          return {
            json: { id: deliveryId, eventId, endpointId, replayOf: values.delivery },
            text: `Queued event ${eventId} again, as delivery ${deliveryId}.`,
          }
        }
        case 'is_sample':
          throw new CommandFailure(
            `Delivery ${values.delivery} is of a test event, which cannot be replayed. Send a new test event with commerce event test.`,
          )
        case 'endpoint_deleted':
          throw new CommandFailure(`Delivery ${values.delivery} cannot be replayed: its endpoint was deleted.`)
        case 'delivery_unknown':
          throw notFound(`delivery ${values.delivery}`)
      }
    }),
})
