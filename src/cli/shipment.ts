import { z } from 'zod'
import { ShipmentId } from '../../registry/vocabulary.ts'
import { cancellabilityOf } from '../logistics/shipment/cancellability.ts'
import { shipmentRecord } from '../logistics/shipment/shipment-record.ts'
import { listShipments } from '../store/shipment-list.ts'
import { findShipment } from '../store/shipments.ts'
import { command } from './command.ts'
import { connected } from './connect.ts'
import { CommandFailure } from './failure.ts'
import { idOption, limitOption, merchantOptions, rowsShown } from './option.ts'
import { table } from './output.ts'
import { tenantOf } from './tenant.ts'

export const shipmentList = command({
  name: 'shipment list',
  summary: 'List a merchant’s latest shipments, where they are and who has them.',
  options: z.strictObject({ ...merchantOptions, limit: limitOption }),
  run: (values) =>
    connected(async ({ database }) => {
      const { merchantId } = await tenantOf(database, values)
      const rows = (await listShipments(database, merchantId, values.limit ?? rowsShown)).map((row) => ({ ...row }))
      const where = ['status', 'statusCode', 'carrier', 'carrierReference', 'attemptCount']
      return { json: rows, text: table(rows, ['id', 'createdAt', 'reference', ...where]) }
    }),
})

export const shipmentShow = command({
  name: 'shipment show',
  summary: 'Show every asking of a carrier for a shipment, and all that was told of it.',
  options: z.strictObject({ ...merchantOptions, shipment: idOption('The shipment.') }),
  run: (values) =>
    connected(async ({ database }) => {
      const { merchantId, mode } = await tenantOf(database, values)
      const id = ShipmentId.safeParse(values.shipment)
      const found = id.success ? await findShipment(database, { merchantId, id: id.data }) : undefined
      if (found === undefined) throw new CommandFailure(`The merchant has no shipment ${values.shipment}.`)
      // Whether it can be called off, and for how much, is for the API to say, which knows the carriers.
      const record = shipmentRecord(found, mode, cancellabilityOf(found.shipment, undefined))
      const attempts = record.attempts.map((attempt) => ({ ...attempt, outcome: attempt.outcome?.code }))
      const timeline = record.timeline.map((event) => ({ ...event }))
      const { status, statusReason, reference, orderId } = record
      const { requestedAt, reason, feeKobo, refundKobo } = record.cancellation
      return {
        json: { ...record, cancellation: { requestedAt, reason, feeKobo, refundKobo } },
        text: [
          table(
            [{ reference, orderId, status, reason: statusReason?.message }],
            ['reference', 'orderId', 'status', 'reason'],
          ),
          '',
          table(attempts, ['number', 'carrier', 'state', 'outcome', 'carrierReference', 'startedAt', 'endedAt']),
          '',
          table(timeline, ['at', 'status', 'source', 'attemptNumber', 'applied', 'description']),
        ].join('\n'),
      }
    }),
})
