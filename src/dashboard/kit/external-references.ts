import { carrierCodes } from '../../logistics/carriers/carrier-names.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { listReferencedRecords, type ReferencedRecord } from '../../store/orders/external-references.ts'
import { link } from './parts.ts'
import { may, type Visit } from './visit.ts'

/** Maximum length of a reference for which records are searched. It is the same as for search texts of the API. */
const referenceMaxLength = 100

/**
 * Returns the orders and shipments with exactly this external reference, for example the reference of a carrier.
 * Includes only records that the member may read.
 */
export async function referencedBy(visit: Visit, reference: string): Promise<readonly ReferencedRecord[]> {
  if (reference === '' || reference.length > referenceMaxLength || /[\p{Cc}\p{Cs}]/u.test(reference)) return []
  const { merchantId } = visit.tenant
  const carriers = may(visit, 'logistics:read') ? carrierCodes : []
  const found = await listReferencedRecords(visit.context.database, { merchantId, reference, carriers })
  return may(visit, 'orders:read') ? found : found.filter(({ kind }) => kind === 'shipment')
}

export function referencedList(reference: string, records: readonly ReferencedRecord[]): Markup {
  if (records.length === 0) return nothing
  const entry = ({ kind, id, title }: ReferencedRecord) =>
    kind === 'order'
      ? html`<li>“${reference}” is the reference of a payment of the order ${link(`/orders/${id}`, title)}.</li>`
      : html`<li>“${reference}” is the tracking number of the carrier for the shipment ${link(`/shipments/${id}`, title)}.</li>`
  return html`<ul role="status">${records.map(entry)}</ul>`
}
