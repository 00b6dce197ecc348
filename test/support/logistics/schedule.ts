import type { ReplyBody, TestApi } from '../api.ts'
import { select } from '../database-contents.ts'

/** Data for tests of predictive schedules: a valid schedule request, and delivered shipments. */

export const schedulePath = '/api/v1/logistics/predictive-schedule'

let references = 0

export function scheduleBody(more: object = {}) {
  references += 1
  return {
    reference: `PARCEL-${references}`,
    pickup: { name: 'Ankara House', phone: '+2348031234567', line1: '7 Adeola Odeku Street', area: 'Victoria Island' },
    dropoff: { name: 'Adaeze Okafor', phone: '+2348029876543', line1: '12 Admiralty Way', area: 'Lekki Phase 1' },
    parcels: [{ description: 'Ankara maxi dress', weightGrams: 800, valueKobo: 3_250_000 }],
    ...more,
  }
}

/** The times of a shipment's delivery steps, in minutes from the creation of its schedule. */
export interface Course {
  readonly called: number
  /** Arrival of the rider at the pickup address. Undefined when the carrier did not report it. */
  readonly arrived?: number
  readonly pickedUp: number
  readonly delivered: number
}

/**
 * Writes the times of a shipment's delivery steps into the database as if the carrier had reported them. Other tests
 * cover the carriers.
 */
export async function runCourse(api: TestApi, schedule: ReplyBody, course: Course): Promise<void> {
  const at = (minutes: number) => new Date(Date.parse(schedule.createdAt) + minutes * 60_000).toISOString()
  const id = schedule.shipmentId
  await select(api, "update shipments set status = 'dispatching' where id = $1", [id])
  await select(
    api,
    `update shipments
     set status = 'awaiting_courier', carrier = 'simulator-swift', dispatched_at = $2, accepted_at = $2
     where id = $1`,
    [id, at(course.called)],
  )
  if (course.arrived !== undefined) {
    await select(
      api,
      `insert into shipment_events (
         merchant_id, shipment_id, number, status, source, description, is_applied, occurred_at, received_at
       )
       select merchant_id, id, 2, 'at_pickup', 'callback', 'The rider arrived.', true, $2, $2 from shipments where id = $1`,
      [id, at(course.arrived)],
    )
  }
  await select(api, "update shipments set status = 'picked_up', picked_up_at = $2 where id = $1", [
    id,
    at(course.pickedUp),
  ])
  await select(
    api,
    "update shipments set status = 'delivered', delivered_at = $2, ended_at = $2, next_check_at = null where id = $1",
    [id, at(course.delivered)],
  )
}
