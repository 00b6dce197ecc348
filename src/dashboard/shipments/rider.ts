import { html, type Markup, nothing } from '../../markup/markup.ts'
import { badge, dateTime, facts, section } from '../../markup/parts.ts'
import type { ReplyOf } from '../kit/call.ts'
import { isCallable, phoneLinks } from '../kit/contact.ts'
import { ago, outside } from '../kit/parts.ts'
import type { Visit } from '../kit/visit.ts'

type Tracking = ReplyOf<'trackShipment'>
type Entry = readonly [string, Markup | string]

/** Empty if the tracking contains no rider, no position, no distance and no expected delivery. */
export function riderSection({ nowMs }: Visit, tracking: Tracking): Markup {
  const { courier, position, estimatedPosition, eta, distanceToNextStopMeters } = tracking
  const entries: readonly Entry[] = [
    ...(courier === null ? [] : courierEntries(courier)),
    ...(eta === null
      ? []
      : [['Delivery expected', html`${dateTime(eta.p50)}<small>90 %: ${dateTime(eta.p90)}</small>`] as const]),
    ...(position === null
      ? []
      : [
          [
            'Position',
            html`${pointOf(position)} ${position.stale ? badge('outdated', 'waiting') : nothing}<small>${ago(position.recordedAt, nowMs)}</small>`,
          ] as const,
        ]),
    ...(estimatedPosition === null
      ? []
      : [
          [
            'Estimated position',
            html`${pointOf(estimatedPosition)}<small>${estimatedPosition.confidence} confidence</small>`,
          ] as const,
        ]),
    ...(distanceToNextStopMeters === null
      ? []
      : [['Distance to the next stop', `${distanceToNextStopMeters} m`] as const]),
  ]
  return entries.length === 0 ? nothing : section('Rider', facts(entries))
}

function courierEntries({ name, phone, vehicle, plateLastFour }: NonNullable<Tracking['courier']>): readonly Entry[] {
  const known = (title: string, value: string | null): readonly Entry[] => (value === null ? [] : [[title, value]])
  return [
    ['Name', name],
    ...(phone === null ? [] : [['Phone', phoneOf(phone)] as const]),
    ...known('Vehicle', vehicle),
    ...known('Plate ends in', plateLastFour),
  ]
}

/**
 * Shows the phone number of a rider. The number has links for calls and messages only if the carrier has not masked it.
 */
function phoneOf(phone: string): Markup {
  return isCallable(phone)
    ? phoneLinks(phone)
    : html`${phone}<small>The carrier masks the number. Its tracking page may have a way to call.</small>`
}

/** Shows a geographic position with a link to a map. The page itself loads nothing from another host. */
function pointOf({ lat, lng }: { readonly lat: number; readonly lng: number }): Markup {
  return outside(`https://www.openstreetmap.org/?mlat=${lat}&mlon=${lng}#map=17/${lat}/${lng}`, `Map of ${lat}, ${lng}`)
}
