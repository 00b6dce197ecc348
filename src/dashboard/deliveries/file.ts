import { z } from 'zod'
import { csvWriterOf } from '../../../registry/kit/csv.ts'
import { DeliveryId, nullable, timestamp } from '../../../registry/values/vocabulary.ts'
import { dayInLagos } from '../../base/calendar.ts'
import { withinBounds } from '../../base/deadline.ts'
import { exportParts } from '../../operations/execute/export-parts.ts'
import type { Batch } from '../../operations/execute/implement.ts'
import type { Position } from '../../store/core/page.ts'
import { listDeliveries } from '../../store/webhooks/delivery-list.ts'
import { listEndpoints } from '../../store/webhooks/endpoints.ts'
import { PageError } from '../kit/page-error.ts'
import { pick } from '../kit/parts.ts'
import { download } from '../kit/route.ts'
import type { Visit } from '../kit/visit.ts'
import { filterNames, filterOf } from './filter.ts'
import { endpointChoices } from './table.ts'

export const deliveryFilePath = '/deliveries/download'

/**
 * Maximum number of deliveries in a file. A busy shop has this many deliveries in several months. They are read by at
 * most 100 statements.
 */
export const deliveryFileMax = 50_000

/** Number of deliveries that one statement reads for the CSV file. */
const batchSize = 500

/**
 * A CSV file to download with the deliveries that match the filters of the list, newest first. Its times are in Lagos
 * time.
 */
export const deliveryFile = download({
  path: deliveryFilePath,
  permission: 'webhooks:read',
  open: async (visit) => {
    const { filter: given, problems } = filterOf(pick(visit.query, filterNames))
    for (const { message } of problems) throw new PageError(400, message)
    const { beforeId: _page, ...filter } = given
    const { service, tenant, actor, requestId, onDisconnect, isHead } = visit
    const parts = await withinBounds({ ...service.requestLimits, onDisconnect }, () =>
      exportParts(service, {
        ...{ tenant, actor, requestId, onDisconnect, isHead },
        name: { file: 'webhook deliveries' },
        selection: { filters: Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== null)) },
        writer: { start: header, textOf: (row: DeliveryRow) => line(row), end: '' },
        read: readerOf(visit, filter),
      }),
    )
    return { name: `deliveries-${dayInLagos(visit.now)}.csv`, type: 'text/csv; charset=utf-8', parts }
  },
})

/**
 * Returns a function that reads the next batch of deliveries for the file. It must be called once for each batch, in
 * the order of the batches.
 */
function readerOf({ context: { database }, tenant: { merchantId } }: Visit, filter: Filter) {
  let left = deliveryFileMax
  // The names of the endpoints by their ids. The file names no endpoint for a delivery whose endpoint was deleted.
  let names: ReadonlyMap<string, string> | undefined
  return async (after?: Position): Promise<Batch<DeliveryRow>> => {
    names ??= new Map(endpointChoices(await listEndpoints(database, merchantId)))
    const endpointOf = (id: string) => names?.get(id) ?? null
    const beforeId = after === undefined ? null : DeliveryId.parse(after.id)
    const limit = Math.min(batchSize, left)
    const rows = limit === 0 ? [] : await listDeliveries(database, { ...filter, merchantId, limit, beforeId })
    left -= rows.length
    const records = rows.map((row) => ({ ...row, endpoint: endpointOf(row.endpointId) }))
    return { records, last: rows.length < batchSize ? undefined : rows.at(-1) }
  }
}

type Filter = Omit<ReturnType<typeof filterOf>['filter'], 'beforeId'>

const rowSchema = z.object({
  id: z.string(),
  eventId: z.string(),
  kind: z.string(),
  trigger: z.string(),
  replayOf: nullable(z.string()),
  endpointId: z.string(),
  endpoint: nullable(z.string()),
  status: z.string(),
  attemptCount: z.int(),
  lastHttpStatus: nullable(z.int()),
  lastErrorCode: nullable(z.string()),
  lastDurationMs: nullable(z.int()),
  createdAt: timestamp('When the delivery was created.'),
  lastAttemptAt: nullable(timestamp('When the last attempt ended.')),
  nextAttemptAt: nullable(timestamp('When the next attempt is due.')),
  completedAt: nullable(timestamp('When the delivery was completed.')),
})

type DeliveryRow = z.output<typeof rowSchema>

const { header, line } = csvWriterOf(rowSchema, 'spreadsheet')
