import { type RawBuilder, sql } from 'kysely'
import type { ShipmentExceptionCode, ShipmentStatus } from '../../../../registry/logistics/shipment-states.ts'
import type { MerchantId, ShipmentId } from '../../../../registry/values/vocabulary.ts'
import type { ReadDb } from '../../core/database.ts'
import { asRecord } from '../../core/json.ts'
import { reading } from '../../core/statement.ts'
import type { ListedShipment } from './shipment-list.ts'

/** The pages of the shipment list that the dashboard shows. */

export interface ShipmentRow extends Omit<ListedShipment, 'nextCheckAt' | 'statusCode'> {
  readonly openExceptions: readonly ShipmentExceptionCode[]
}

export interface ShipmentPage {
  readonly shipments: readonly ShipmentRow[]
  /** The shipment after which the next page starts. Null on the last page. */
  readonly next: ShipmentId | null
}

export interface ShipmentFilter {
  readonly merchantId: MerchantId
  readonly limit: number
  /** The status of the listed shipments. Null for any status. */
  readonly status: ShipmentStatus | null
  /** Whether to list only shipments with an open exception. */
  readonly hasOpenException: boolean
  /** The shipment after which the page starts. Null for the first page. */
  readonly after: ShipmentId | null
}

/**
 * Maximum number of shipments read for one page. No index contains the status, so a page filtered by status searches
 * this many shipments, which takes milliseconds, and the next page continues after them.
 */
const searchedMax = 1_000

const searched = sql.lit(searchedMax)

/** Whether an exception is open. An exception has no `resolvedAt` until it is resolved. */
export const hasOpenException = sql<boolean>`
  exceptions <> '[]' and jsonb_path_exists(exceptions, '$[*] ? (!exists(@.resolvedAt))')`

export const openExceptionCodes = sql`array(
  select distinct exception ->> 'code'
  from jsonb_array_elements(exceptions) exception
  where not exception ? 'resolvedAt'
)`

interface FoundRow extends ShipmentRow {
  readonly lastId: ShipmentId
  readonly lastNumber: number
}

export const shipmentPage = pageStatement('list_shipment_page', sql`true`)

/** Lists shipments with an open exception. A partial index finds them however old they are. */
export const openExceptionPage = pageStatement('list_open_exception_page', hasOpenException)

function pageStatement(name: string, condition: RawBuilder<unknown>) {
  return reading<Omit<ShipmentFilter, 'hasOpenException'>>()(
    name,
    (p) => sql<{ [Field in keyof FoundRow]: FoundRow[Field] | null }>`
    with searched as materialized (
      select
        row_number() over (order by created_at desc, id desc) as number,
        id, created_at, reference, order_id, status, carrier, carrier_reference, price_kobo, attempt_count, exceptions
      from shipments
      where merchant_id = ${p.merchantId}
        and ${condition}
        and (created_at, id) < (
          coalesce(
            (select created_at from shipments where merchant_id = ${p.merchantId} and id = ${p.after}),
            'infinity'::timestamptz
          ),
          coalesce(${p.after}::text, 'z')
        )
      order by created_at desc, id desc
      limit ${searched}
    ),
    matching as (
      select *
      from searched
      where ${p.status}::text is null or status = ${p.status}
      order by number
      limit ${p.limit}::int + 1
    ),
    last as (select id, number from searched order by number desc limit 1)
    select
      matching.id, matching.created_at, matching.reference, matching.order_id,
      matching.status, matching.carrier, matching.carrier_reference,
      matching.price_kobo::bigint as price_kobo, matching.attempt_count,
      ${openExceptionCodes} as open_exceptions, last.id as last_id, last.number as last_number
    from last
    left join matching on true
    order by matching.number`,
  )
}

/** Returns a page of shipments, newest first. */
export async function listShipmentPage(
  db: ReadDb,
  { hasOpenException: isOpenOnly, ...filter }: ShipmentFilter,
): Promise<ShipmentPage> {
  const rows = await db.read(isOpenOnly ? openExceptionPage : shipmentPage, filter)
  const found = rows.filter(({ id }) => id !== null).map((row) => asRecord<FoundRow>(row))
  const shipments = found.slice(0, filter.limit)
  const [first] = rows
  if (found.length > filter.limit) return { shipments, next: shipments.at(-1)?.id ?? null }
  const isSearchedOut = first?.lastNumber !== searchedMax
  return { shipments, next: isSearchedOut ? null : first.lastId }
}
