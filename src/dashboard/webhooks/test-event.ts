import { z } from 'zod'
import { sendTestEvent } from '../../access/send-test-event.ts'
import { action } from '../kit/route.ts'
import { eventKind } from './fields.ts'
import { endpointIdOf, noEndpoint } from './find.ts'
import { endpointContent } from './show.ts'

/** The page of the delivery updates itself and shows the response. */
export const testEventAction = action({
  path: '/webhooks/{id}/test',
  permission: 'webhooks:write',
  done: 'The test event is queued. Its response appears on this page.',
  question: null,
  fields: z.strictObject({ kind: eventKind }),
  form: (visit, { id }, draft) => endpointContent(visit, id, { test: draft }),
  run: async ({ context, actor, tenant }, { id }, { kind }) => {
    const outcome = await sendTestEvent(context, actor, tenant, { endpointId: endpointIdOf(id), kind })
    if (outcome.is === 'endpoint_unknown') throw noEndpoint()
    return { is: 'done', to: `/deliveries/${outcome.deliveryId}` }
  },
})
