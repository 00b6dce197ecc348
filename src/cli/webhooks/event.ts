import { z } from 'zod'
import { sendTestEvent } from '../../access/send-test-event.ts'
import { command } from '../kit/command.ts'
import { connected } from '../kit/connect.ts'
import { endpointIdOf, noEndpoint } from '../kit/endpoint.ts'
import { operator } from '../kit/operator.ts'
import { idOption, kindOption, merchantOptions } from '../kit/option.ts'
import { tenantOf } from '../kit/tenant.ts'

export const eventTest = command({
  name: 'event test',
  summary: 'Send a test event to an endpoint: the documented example of an event type, signed like any delivery.',
  options: z.strictObject({ ...merchantOptions, endpoint: idOption('The endpoint.'), kind: kindOption }),
  run: (values) =>
    connected(async (context) => {
      const tenant = await tenantOf(context.database, values)
      const { kind } = values
      const endpointId = endpointIdOf(values.endpoint)
      const outcome = await sendTestEvent(context, operator, tenant, { endpointId, kind })
      switch (outcome.is) {
        case 'queued': {
          const { eventId, deliveryId } = outcome
          return {
            json: { id: deliveryId, eventId, endpointId, kind },
            text: `Queued test event ${eventId} as delivery ${deliveryId}.`,
          }
        }
        case 'endpoint_unknown':
          throw noEndpoint(endpointId)
      }
    }),
})
