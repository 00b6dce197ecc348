import { z } from 'zod'
import { csvWriterOf } from '../../../registry/kit/csv.ts'
import { type DeliveryId, nullable, timestamp } from '../../../registry/values/vocabulary.ts'
import { dayInLagos } from '../../base/calendar.ts'
import { listDeliveries } from '../../store/webhooks/delivery-list.ts'
import { listEndpoints } from '../../store/webhooks/endpoints.ts'
import { PageError } from '../kit/page-error.ts'
import { pick } from '../kit/parts.ts'
import { download } from '../kit/route.ts'
import { filterNames, filterOf } from './filter.ts'
import { endpointChoices } from './table.ts'

export const deliveryFilePath = '/deliveries/download'

/** Maximum number of deliveries in a file: several months of a busy shop, in some 100 statements. */
export const deliveryFileMax = 50_000

/** Number of deliveries that a statement reads for the file. */
const batchSize = 500

/** The deliveries that match the filters of the list as CSV to download, newest first, with times in Lagos. */
export const deliveryFile = download({
  path: deliveryFilePath,
  permission: 'webhooks:read',
  open: async ({ context: { database }, tenant: { merchantId }, now, query }) => {
    const { filter, problems } = filterOf(pick(query, filterNames))
    for (const { message } of problems) throw new PageError(400, message)
    const names = new Map(endpointChoices(await listEndpoints(database, merchantId)))
    const read = (beforeId?: DeliveryId) =>
      listDeliveries(database, { ...filter, merchantId, limit: batchSize, beforeId: beforeId ?? null })
    // The first batch is read before the response starts, so that a failure is an error page.
    const parts = linesOf({ first: await read(), read, names })
    return { name: `deliveries-${dayInLagos(now)}.csv`, type: 'text/csv; charset=utf-8', parts }
  },
})

type Deliveries = Awaited<ReturnType<typeof listDeliveries>>

interface Reading {
  readonly first: Deliveries
  /** Reads the next batch: the deliveries before the delivery with this id. */
  readonly read: (beforeId?: DeliveryId) => Promise<Deliveries>
  /** The names of the endpoints by their ids. A deleted endpoint has no name. */
  readonly names: ReadonlyMap<string, string>
}

async function* linesOf({ first, read, names }: Reading): AsyncGenerator<string, void, undefined> {
  const { header, line } = csvWriterOf(DeliveryRow, 'spreadsheet')
  yield header
  let batch = first
  for (let written = 0; batch.length > 0; ) {
    yield batch.map((row) => line({ ...row, endpoint: names.get(row.endpointId) ?? null })).join('')
    written += batch.length
    if (batch.length < batchSize || written >= deliveryFileMax) return
    batch = await read(batch.at(-1)?.id)
  }
}

const DeliveryRow = z.object({
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
