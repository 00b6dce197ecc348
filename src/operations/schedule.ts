import { scheduleRider } from '../logistics/schedule/schedule-rider.ts'
import { fingerprintOf } from './execute/idempotency.ts'
import { implement } from './execute/implement.ts'
import { refuseCreation } from './shipment-refusals.ts'

export const createPredictiveSchedule = implement('createPredictiveSchedule', async ({ call, body, refuse }) => {
  const outcome = await scheduleRider(call, body, fingerprintOf(call.rawBody).toString('hex'))
  if (outcome.is !== 'schedule') return refuseCreation(refuse, body, outcome)
  return { status: outcome.how === 'created' ? 201 : 200, reply: outcome.schedule }
})
