import { z } from 'zod'
import type { Shipment } from '../../../registry/logistics/shipment.ts'
import { ShipmentId } from '../../../registry/values/vocabulary.ts'
import { closeShipment, closingStatuses } from '../../logistics/cancellation/close-shipment.ts'
import { resolvableCodes, resolveException } from '../../logistics/cancellation/resolve-exception.ts'
import { cancellabilityOf } from '../../logistics/shipments/cancellability.ts'
import { shipmentRecord } from '../../logistics/shipments/shipment-record.ts'
import { listFailedCallbacks } from '../../store/callbacks/inboxes.ts'
import { listShipments } from '../../store/logistics/shipments/shipment-list.ts'
import { findShipment } from '../../store/logistics/shipments/shipments.ts'
import { command } from '../kit/command.ts'
import { connected } from '../kit/connect.ts'
import { CommandFailure, notFound } from '../kit/failure.ts'
import { operator } from '../kit/operator.ts'
import { idOption, limitOption, merchantOptions, option, rowsShown, textOption } from '../kit/option.ts'
import { table } from '../kit/output.ts'
import { tenantOf } from '../kit/tenant.ts'

export const shipmentList = command({
  name: 'shipment list',
  summary: 'List a merchant’s shipments with their status and carrier, newest first.',
  options: z.strictObject({ ...merchantOptions, limit: limitOption }),
  run: (values) =>
    connected(async ({ database }) => {
      const { merchantId } = await tenantOf(database, values)
      const page = { limit: values.limit ?? rowsShown, after: undefined }
      // The list omits the recipients, so that operators do not see the names and addresses of a merchant's customers.
      const rows = (await listShipments(database, merchantId, {}, page)).map(({ recipient: _, ...row }) => row)
      const where = ['status', 'statusCode', 'carrier', 'carrierReference', 'attemptCount']
      return { json: rows, text: table(rows, ['id', 'createdAt', 'reference', ...where]) }
    }),
})

export const shipmentShow = command({
  name: 'shipment show',
  summary: 'Show a shipment, with every dispatch attempt and tracking event.',
  options: z.strictObject({ ...merchantOptions, shipment: idOption('The shipment.') }),
  run: (values) =>
    connected(async ({ database }) => {
      const { merchantId, mode } = await tenantOf(database, values)
      const id = ShipmentId.safeParse(values.shipment)
      const found = id.success ? await findShipment(database, { merchantId, id: id.data }) : undefined
      if (found === undefined) throw notFound(`shipment ${values.shipment}`)
      // The output states neither whether the shipment can be cancelled nor the cancellation fee, because the command
      // line has no carrier clients to determine them.
      const record = shipmentRecord(found, mode, cancellabilityOf(found, undefined))
      const attempts = record.attempts.map((attempt) => ({ ...attempt, outcome: attempt.outcome?.code }))
      const timeline = record.timeline.map((event) => ({ ...event }))
      const { status, statusReason, reference, orderId } = record
      const exceptions = record.exceptions.map((exception) => ({ ...exception }))
      const { requestedAt, reason, feeKobo, refundKobo } = record.cancellation
      return {
        json: { ...record, cancellation: { requestedAt, reason, feeKobo, refundKobo } },
        text: [
          table(
            [{ reference, orderId, status, reason: statusReason?.message }],
            ['reference', 'orderId', 'status', 'reason'],
          ),
          '',
          ...overview(record),
          '',
          ...(exceptions.length === 0 ? [] : [table(exceptions, ['code', 'message', 'at', 'resolvedAt']), '']),
          table(attempts, ['number', 'carrier', 'state', 'outcome', 'carrierReference', 'startedAt', 'endedAt']),
          '',
          table(timeline, ['at', 'status', 'source', 'attemptNumber', 'applied', 'description']),
        ].join('\n'),
      }
    }),
})

function overview({ dropoff, carrier, courier, ...record }: Shipment): string[] {
  const { pickupEta, deliveryEta } = record
  const price = [
    `price ${kobo(record.priceKobo)}`,
    `quoted ${kobo(record.quotedPriceKobo)}`,
    `surge ${kobo(record.surgeKobo)}`,
    `ceiling ${kobo(record.priceCeilingKobo)}`,
  ]
  return [
    `Recipient: ${[dropoff.name, dropoff.phone, dropoff.line1, dropoff.area, dropoff.state].filter(Boolean).join(', ')}`,
    `Carrier: ${[carrier?.name, record.service, courier?.name].filter(Boolean).join(', ') || '-'}`,
    `Price: ${price.join(', ')}`,
    `Pickup: ${spanOf(pickupEta)}${record.pickedUpAt === null ? '' : `, picked up ${record.pickedUpAt}`}`,
    `Delivery: ${spanOf(deliveryEta)}${record.deliveredAt === null ? '' : `, delivered ${record.deliveredAt}`}`,
  ]
}

function spanOf(estimate: Shipment['pickupEta']): string {
  return estimate === null ? '-' : `${estimate.p50} (90 %: ${estimate.p90})`
}

function kobo(amountKobo: number | null): string {
  return amountKobo === null ? '-' : `₦${(amountKobo / 100).toLocaleString('en-NG', { minimumFractionDigits: 2 })}`
}

const asOption = option(z.enum(closingStatuses), {
  value: closingStatuses.join('|'),
  meaning:
    'The final status of the shipment: failed if it was never picked up, cancelled if it was cancelled, lost if it was lost after the pickup.',
  must: `must be one of ${closingStatuses.join(', ')}`,
})

export const shipmentClose = command({
  name: 'shipment close',
  summary: 'Close a shipment whose carrier no longer reports its status. Its order is updated too.',
  options: z.strictObject({
    ...merchantOptions,
    shipment: idOption('The shipment.'),
    as: asOption,
    reason: textOption('The reason, which the merchant sees.'),
  }),
  run: ({ as: to, reason, ...values }) =>
    connected(async (context) => {
      const tenant = await tenantOf(context.database, values)
      const parsed = ShipmentId.safeParse(values.shipment)
      const id = parsed.data
      const outcome = id && (await closeShipment(context, operator, tenant, { id, to, reason }))
      switch (outcome?.is) {
        case 'closed': {
          const { from, orderFollowed, note } = outcome
          const order =
            note ??
            (orderFollowed ? 'The order of the shipment was updated too.' : 'The order of the shipment is unchanged.')
          const json = { id, from, to, orderFollowed, note }
          return { json, text: `Shipment ${id} changed from ${from} to ${to}. ${order}` }
        }
        case 'unchanged':
          return { json: { id, to, orderFollowed: false }, text: `Shipment ${id} is already ${to}.` }
        case 'not_allowed': {
          const { from, allowed } = outcome
          const choices =
            allowed.length === 0
              ? 'The status of the shipment is final.'
              : `Possible final statuses: ${allowed.join(' or ')}.`
          throw new CommandFailure(`Shipment ${id} is ${from} and cannot be closed as ${to}. ${choices}`)
        }
        default:
          throw notFound(`shipment ${values.shipment}`)
      }
    }),
})

const exceptionOption = option(z.enum(resolvableCodes), {
  value: 'CODE',
  meaning: `Code of the exception to resolve: one of ${resolvableCodes.join(', ')}. All other exceptions of a shipment are resolved when their condition ends.`,
  must: `must be one of ${resolvableCodes.join(', ')}`,
})

export const shipmentResolve = command({
  name: 'shipment resolve',
  summary: 'Resolve an exception of a shipment: a condition that needs manual action.',
  options: z.strictObject({
    ...merchantOptions,
    shipment: idOption('The shipment.'),
    exception: exceptionOption,
    reason: textOption('The reason, which the merchant sees.'),
  }),
  run: ({ exception: code, reason, ...values }) =>
    connected(async (context) => {
      const tenant = await tenantOf(context.database, values)
      const { data: id } = ShipmentId.safeParse(values.shipment)
      const outcome = id && (await resolveException(context, operator, tenant, { id, code, reason }))
      switch (outcome?.is) {
        case 'resolved':
          return { json: { id, code, resolved: true }, text: `The exception ${code} of shipment ${id} is resolved.` }
        case 'unchanged':
          return {
            json: { id, code, resolved: false },
            text: `The exception ${code} of shipment ${id} is already resolved.`,
          }
        case 'exception_unknown': {
          const { open } = outcome
          const others =
            open.length === 0
              ? 'The shipment has no open exceptions.'
              : `Open exceptions of the shipment: ${open.join(', ')}.`
          throw new CommandFailure(`Shipment ${id} has no exception ${code}. ${others}`)
        }
        case 'still_needed':
          throw new CommandFailure(
            code === 'carrier_wallet_low'
              ? `The carrier of shipment ${id} suspends the order. The exception ${code} is resolved when the merchant has ` +
                  'funded the carrier account.'
              : `Shipment ${id} is still active, and its exception ${code} applies until the shipment has ended. Cancel ` +
                  'the shipment, or close it with `shipment close`.',
          )
        default:
          throw notFound(`shipment ${values.shipment}`)
      }
    }),
})

export const shipmentCallbacks = command({
  name: 'shipment callbacks',
  summary: 'List carrier callbacks that could not be applied, with the error and the time of the next retry.',
  options: z.strictObject({ ...merchantOptions, limit: limitOption }),
  run: (values) =>
    connected(async ({ database }) => {
      const { merchantId } = await tenantOf(database, values)
      const listed = await listFailedCallbacks(database, { merchantId, limit: values.limit ?? rowsShown })
      const rows = listed.map((row) => ({ ...row }))
      return { json: rows, text: table(rows, ['id', 'carrier', 'receivedAt', 'failures', 'nextAttemptAt', 'error']) }
    }),
})
