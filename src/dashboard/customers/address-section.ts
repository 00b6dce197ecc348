import { customerAddressesMax } from '../../../registry/values/limits.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { badge, empty, section, table } from '../../markup/parts.ts'
import type { ReplyOf } from '../kit/call.ts'
import { phoneLinks } from '../kit/contact.ts'
import { link } from '../kit/parts.ts'
import { may, type Visit } from '../kit/visit.ts'

type Customer = ReplyOf<'getCustomer'>
type Address = Customer['addresses'][number]

export function addressSection(visit: Visit, { id, addresses }: Customer): Markup {
  const mayWrite = may(visit, 'customers:write')
  const path = `/customers/${id}/addresses`
  const add = mayWrite && addresses.length < customerAddressesMax ? link(`${path}/new`, 'Add an address') : nothing
  if (addresses.length === 0)
    return section(
      'Addresses',
      empty('No address of the customer is stored. The address of an order is on the page of the order.'),
      add,
    )
  const changes = (address: Address) =>
    html`${link(`${path}/${address.id}/edit`, 'Edit')} ${link(`${path}/${address.id}/remove`, 'Remove')}`
  const rows = table('Addresses', addresses, [
    {
      title: 'Address',
      cell: (address) =>
        html`${addressText(address)} ${address.isDefault && addresses.length > 1 ? badge('default', 'quiet') : nothing}`,
      phone: 'title',
    },
    { title: 'Recipient', cell: recipientOf, phone: 'detail' },
    ...(mayWrite ? [{ title: 'Next step', cell: changes, phone: 'detail' as const }] : []),
  ])
  return section('Addresses', rows, add)
}

function recipientOf({ recipientName, phone, instructions }: Address): Markup {
  return html`${recipientName ?? ''}${phone === null ? nothing : html`<small>${phoneLinks(phone)}</small>`}${instructions === null ? nothing : html`<small>${instructions}</small>`}`
}

export function addressText({ line1, line2, landmark, area, city, state, postalCode }: Address): string {
  return [line1, line2, landmark, area, city, state, postalCode].filter((part) => part !== null).join(', ')
}
