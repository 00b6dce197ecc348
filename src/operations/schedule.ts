import { scheduleRider } from '../logistics/schedule/schedule-rider.ts'
import { fingerprintOf } from './execute/idempotency.ts'
import { implement } from './execute/implement.ts'
import { refuseShipment } from './shipment-refusals.ts'

export const createPredictiveSchedule = implement('createPredictiveSchedule', async ({ call, body, refuse }) => {
  const outcome = await scheduleRider(call, body, fingerprintOf(call.rawBody).toString('hex'))
  switch (outcome.is) {
    case 'schedule':
      return { status: outcome.how === 'created' ? 201 : 200, reply: outcome.schedule }
    case 'reference_conflict': {
      const { shipmentId } = outcome
      return refuse(
        'reference_conflict',
        `A different request created shipment ${shipmentId} with the reference ${body.reference}.`,
        { shipmentId },
      )
    }
    case 'order_already_dispatched': {
      const { shipmentId } = outcome
      return refuse(
        'order_already_dispatched',
        `No unit of the order is left to ship. Its last shipment is ${shipmentId}.`,
        {
          shipmentId,
        },
      )
    }
    case 'contact_incomplete': {
      const missing = [...outcome.missing]
      return refuse('contact_incomplete', `These contact fields are missing: ${missing.join(', ')}.`, { missing })
    }
    default:
      return refuseShipment(refuse, body, outcome)
  }
})
