import { carrierNameOf } from '../../logistics/carriers/carrier-names.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { badge, dateTime, money, table } from '../../markup/parts.ts'
import type { ReplyOf } from '../kit/call.ts'
import { link } from '../kit/parts.ts'
import { may, type Visit } from '../kit/visit.ts'
import { resolvableCodesOf } from './resolvable.ts'

type Shipment = ReplyOf<'getShipment'>
type Exception = Shipment['exceptions'][number]

/** Open exceptions, which need manual action, come first. */
export function exceptionTable(visit: Visit, shipment: Shipment): Markup {
  const openFirst = shipment.exceptions.toSorted(
    (a, b) => Number(a.resolvedAt !== null) - Number(b.resolvedAt !== null),
  )
  return table('Problems', openFirst, [
    { title: 'Problem', cell: ({ code, resolvedAt }) => badge(code, resolvedAt === null ? 'bad' : 'quiet') },
    { title: 'Description', cell: ({ message, amounts }) => html`${message}${amountsOf(amounts)}` },
    { title: 'Carrier', cell: ({ carrier }) => (carrier === null ? '' : carrierNameOf(carrier)) },
    { title: 'Since', cell: ({ at }) => dateTime(at) },
    { title: 'State', cell: (exception) => stateOf(visit, shipment, exception) },
  ])
}

function amountsOf(amounts: Exception['amounts']): Markup {
  if (amounts === null) return nothing
  return html`<small>Accepted ${money(amounts.allowedKobo)}, charged ${money(amounts.chargedKobo)}</small>`
}

function stateOf(visit: Visit, shipment: Shipment, { code, resolvedAt }: Exception): Markup {
  if (resolvedAt !== null) return html`resolved ${dateTime(resolvedAt)}`
  if (!resolvableCodesOf(shipment).some((each) => each === code)) return html`open until its cause ends`
  if (!may(visit, 'logistics:dispatch')) return html`open`
  return link(`/shipments/${shipment.id}/resolve?code=${code}`, 'Resolve')
}
