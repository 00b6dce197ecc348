import { z } from 'zod'
import { DeliveryId } from '../../registry/vocabulary.ts'
import { replayDelivery } from '../access/replay-delivery.ts'
import { listAttempts } from '../store/attempts.ts'
import { listDeliveries } from '../store/deliveries.ts'
import { command } from './command.ts'
import { connected, operator } from './connect.ts'
import { endpointIdOf } from './endpoint.ts'
import { CommandFailure } from './failure.ts'
import { idOption, limitOption, merchantOptions, rowsShown } from './option.ts'
import { table } from './output.ts'
import { tenantOf } from './tenant.ts'

export const deliveryList = command({
  name: 'delivery list',
  summary: 'List a merchant’s latest webhook deliveries and how they went.',
  options: z.strictObject({
    ...merchantOptions,
    endpoint: idOption('Only deliveries to this endpoint.').optional(),
    limit: limitOption,
  }),
  run: (values) =>
    connected(async ({ database }) => {
      const { merchantId } = await tenantOf(database, values)
      const limit = values.limit ?? rowsShown
      const endpoint = values.endpoint === undefined ? {} : { endpointId: endpointIdOf(values.endpoint) }
      const rows = (await listDeliveries(database, { merchantId, limit, ...endpoint })).map((row) => ({ ...row }))
      const outcome = ['attemptCount', 'lastHttpStatus', 'lastErrorCode', 'nextAttemptAt']
      const columns = ['id', 'createdAt', 'kind', 'trigger', 'status', ...outcome]
      return { json: rows, text: table(rows, columns) }
    }),
})

export const deliveryShow = command({
  name: 'delivery show',
  summary: 'Show every attempt of a delivery: how long each part took and what came back.',
  options: z.strictObject({ ...merchantOptions, delivery: idOption('The delivery.') }),
  run: (values) =>
    connected(async ({ database }) => {
      const { merchantId } = await tenantOf(database, values)
      const id = DeliveryId.safeParse(values.delivery)
      const attempts = id.success ? await listAttempts(database, { merchantId, deliveryId: id.data }) : []
      if (attempts.length === 0)
        throw new CommandFailure(`The merchant has no attempts of a delivery ${values.delivery}.`)
      const rows = attempts.map((attempt) => ({ ...attempt }))
      const phases = ['dnsMs', 'connectMs', 'tlsMs', 'firstByteMs', 'durationMs', 'isReused']
      const columns = ['number', 'startedAt', 'outcome', 'httpStatus', 'errorCode', ...phases, 'responseBody']
      return { json: rows, text: table(rows, columns) }
    }),
})

export const deliveryReplay = command({
  name: 'delivery replay',
  summary: 'Send the event of a delivery once more, with the same id and bytes.',
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
            text: `Event ${eventId} is on its way again as delivery ${deliveryId}.`,
          }
        }
        case 'delivery_unknown':
          throw new CommandFailure(`The merchant has no delivery ${values.delivery} that can be replayed.`)
      }
    }),
})
