import { replayDelivery } from '../../access/replay-delivery.ts'
import { noFields } from '../kit/fields.ts'
import { action } from '../kit/route.ts'
import { deliveryIdOf, noDelivery } from './find.ts'
import { deliveryContent } from './show.ts'

export const replayDeliveryAction = action({
  path: '/deliveries/{id}/replay',
  permission: 'webhooks:write',
  done: 'The delivery is queued again. Its response appears on this page.',
  question: null,
  fields: noFields,
  form: (visit, { id }) => deliveryContent(visit, id),
  run: async ({ context, actor, tenant }, { id }) => {
    const outcome = await replayDelivery(context, actor, tenant, deliveryIdOf(id))
    switch (outcome.is) {
      case 'queued':
        return { is: 'done', to: `/deliveries/${outcome.deliveryId}` }
      case 'is_sample':
        return {
          is: 'refused',
          message: 'A test event cannot be replayed. Send a new test event on the page of the endpoint.',
        }
      case 'endpoint_deleted':
        return { is: 'refused', message: 'The endpoint of this delivery is deleted.' }
      case 'delivery_unknown':
        throw noDelivery()
    }
  },
})
