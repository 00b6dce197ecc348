import { type RawBuilder, sql } from 'kysely'
import type { ShipmentExceptionCode, ShipmentStatus } from '../../../../registry/logistics/shipment-states.ts'
import { phoneDigits } from '../../../../registry/values/phone.ts'
import type { State } from '../../../../registry/values/states.ts'
import type {
  Kobo,
  MerchantId,
  OrderId,
  ReturnId,
  ShipmentId,
  Timestamp,
} from '../../../../registry/values/vocabulary.ts'
import type { ReadDb } from '../../core/database.ts'
import {
  type CreatedRange,
  createdWithin,
  ifGiven,
  isAfter,
  type PageArgs,
  type PageRequest,
  pageArgs,
} from '../../core/page.ts'
import { hasTrigram } from '../../core/pattern.ts'
import { build, type ReadStatement, reading } from '../../core/statement.ts'

/** A shipment in a list. It has no street and no phone number. */
export interface ListedShipment {
  readonly id: ShipmentId
  readonly createdAt: Timestamp
  readonly updatedAt: Timestamp
  readonly deliveredAt: Timestamp | null
  readonly reference: string
  readonly orderId: OrderId | null
  readonly returnId: ReturnId | null
  readonly status: ShipmentStatus
  readonly statusCode: string | null
  readonly carrier: string | null
  readonly carrierReference: string | null
  readonly trackingUrl: string | null
  readonly priceKobo: Kobo | null
  readonly codAmountKobo: Kobo | null
  readonly codCollectedKobo: Kobo | null
  readonly codCollectedAt: Timestamp | null
  readonly attemptCount: number
  readonly recipient: ListedRecipient
  readonly openExceptions: readonly ShipmentExceptionCode[]
}

interface ListedRecipient {
  readonly name: string
  readonly area: string | null
  readonly lga: string | null
  readonly state: State
}

export interface ShipmentFilters extends CreatedRange {
  readonly reference?: string | undefined
  readonly orderId?: OrderId | undefined
  readonly returnId?: ReturnId | undefined
  /** Only shipments with an open exception of one of these types. `any` stands for all types. */
  readonly exception?: readonly (ShipmentExceptionCode | 'any')[] | undefined
  readonly status?: readonly ShipmentStatus[] | undefined
  readonly carrier?: string | undefined
  /** Search text: part of the shipment's reference, or of the customer's name or phone number. */
  readonly q?: string | undefined
  readonly deliveredFrom?: Timestamp | undefined
}

type ListArgs = ShipmentFilters & PageArgs & { readonly merchantId: MerchantId }

/** Whether an exception is open. An exception has no `resolvedAt` until it is resolved. */
export const hasOpenException = sql<boolean>`
  exceptions <> '[]' and jsonb_path_exists(exceptions, '$[*] ? (!exists(@.resolvedAt))')`

export const openExceptionCodes = sql<readonly ShipmentExceptionCode[]>`array(
  select distinct exception ->> 'code'
  from jsonb_array_elements(exceptions) exception
  where not exception ? 'resolvedAt'
)`

/**
 * The filters with an index, the most selective filter first. If a request contains several of these filters, the first
 * one selects the index. All other filters are checked row by row.
 */
const leads = ['reference', 'orderId', 'returnId', 'q', 'exception', 'deliveredFrom', 'status', 'carrier'] as const

type Lead = (typeof leads)[number]

const conditions: { readonly [Name in Lead]: (p: ListArgs) => RawBuilder<boolean> } = {
  reference: (p) => sql`shipments.reference = ${p.reference}::text`,
  orderId: (p) => sql`shipments.order_id = ${p.orderId}::text`,
  returnId: (p) => sql`shipments.return_id = ${p.returnId}::text`,
  // This expression must equal the expression of the index shipments_by_search_key. A return shipment is found by its
  // pickup, because the contact at the pickup is the customer.
  q: (p) => sql`
    search_key(shipment_search_text(reference, case when return_id is null then dropoff else pickup end))
      like search_pattern(${p.q}::text)`,
  deliveredFrom: (p) => sql`shipments.delivered_at >= ${p.deliveredFrom}::timestamptz`,
  exception: (p) => sql`${hasOpenException} and (
    'any' = any(${p.exception}::text[]) or ${openExceptionCodes} && ${p.exception}::text[]
  )`,
  status: (p) => sql`shipments.status = any(${p.status}::text[])`,
  carrier: (p) => sql`shipments.carrier = ${p.carrier}::text`,
}

const columns = [
  'shipments.id',
  'shipments.createdAt',
  'shipments.updatedAt',
  'shipments.deliveredAt',
  'shipments.reference',
  'shipments.orderId',
  'shipments.returnId',
  'shipments.status',
  'shipments.statusCode',
  'shipments.carrier',
  'shipments.carrierReference',
  'shipments.trackingUrl',
  'shipments.priceKobo',
  'shipments.codAmountKobo',
  'shipments.codCollectedKobo',
  'shipments.codCollectedAt',
  'shipments.attemptCount',
  sql<ListedRecipient>`jsonb_build_object(
    'name', dropoff ->> 'name', 'area', dropoff ->> 'area', 'lga', dropoff ->> 'lga', 'state', dropoff ->> 'state'
  )`.as('recipient'),
  openExceptionCodes.as('openExceptions'),
] as const

/** The combination of filters and sort of a request, by which the statement is chosen. */
interface Shape {
  /**
   * The filter whose index the statement uses, from the filters of the request. Undefined if no filter of the request
   * has an index.
   */
  readonly lead: Lead | undefined
  readonly isFirst: boolean
}

type ListStatement = ReadStatement<ListArgs, ListedShipment>

const firstPages = statementsOf(true)
const laterPages = statementsOf(false)

function statementsOf(isFirst: boolean): { readonly [Name in Lead | 'none']: ListStatement } {
  return {
    none: planned({ lead: undefined, isFirst }),
    reference: planned({ lead: 'reference', isFirst }),
    orderId: planned({ lead: 'orderId', isFirst }),
    returnId: planned({ lead: 'returnId', isFirst }),
    q: planned({ lead: 'q', isFirst }),
    deliveredFrom: planned({ lead: 'deliveredFrom', isFirst }),
    exception: planned({ lead: 'exception', isFirst }),
    status: byStatus({ lead: 'status', isFirst }),
    carrier: planned({ lead: 'carrier', isFirst }),
  }
}

function planned(shape: Shape): ListStatement {
  const { lead } = shape
  return reading<ListArgs>()('list_shipments', (p) =>
    rowsOf(p, shape)
      .where(lead === undefined ? sql<boolean>`true` : conditions[lead](p))
      .select(columns)
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .limit(p.limit),
  )
}

/**
 * Reads one page of shipments for each requested status, and returns the newest of all these shipments. The number of
 * rows that are read is thereby limited, regardless of the merchant. In a single query for all statuses, the planner
 * would choose a plan by its statistics, which describe only the statuses of all merchants together.
 */
function byStatus(shape: Shape): ListStatement {
  return reading<ListArgs>()('list_shipments_by_status', (p) =>
    build
      .selectFrom(sql<{ status: ShipmentStatus }>`(select distinct unnest(${p.status}::text[]) as status)`.as('wanted'))
      .innerJoinLateral(
        () =>
          rowsOf(p, shape)
            .where(sql<boolean>`shipments.status = wanted.status`)
            .selectAll('shipments')
            .orderBy('createdAt', 'desc')
            .orderBy('id', 'desc')
            .limit(p.limit)
            .as('shipments'),
        (join) => join.onTrue(),
      )
      .select(columns)
      .orderBy('shipments.createdAt', 'desc')
      .orderBy('shipments.id', 'desc')
      .limit(p.limit),
  )
}

/**
 * Selects the rows of a page by all filters except the leading filter, which the caller applies. A filter without a
 * value matches every row.
 */
function rowsOf(p: ListArgs, { lead, isFirst }: Shape) {
  const others = leads.filter((name) => name !== lead).map((name) => ifGiven(p[name], conditions[name](p)))
  const rows = build
    .selectFrom('shipments')
    .where('shipments.merchantId', '=', p.merchantId)
    .where(sql<boolean>`${sql.join(others, sql` and `)}`)
    .where(createdWithin('shipments', p))
  return isFirst ? rows : rows.where(isAfter('shipments', p))
}

/** A statement of the shipment list and its arguments, exposed so that tests can check the query plan. */
export interface ShipmentQuery {
  readonly statement: ListStatement
  readonly args: ListArgs
}

export function shipmentQuery(merchantId: MerchantId, filters: ShipmentFilters, page: PageRequest): ShipmentQuery {
  const q = filters.q === undefined ? undefined : phoneDigits(filters.q)
  // The search index needs three consecutive letters or digits. With a shorter search text, the shipments are scanned
  // in the order of the list.
  const isIndexed = (name: Lead) => filters[name] !== undefined && (name !== 'q' || (q !== undefined && hasTrigram(q)))
  const lead = leads.find(isIndexed) ?? 'none'
  const statements = page.after === undefined ? firstPages : laterPages
  return { statement: statements[lead], args: { merchantId, ...filters, q, ...pageArgs(page) } }
}

/** Newest first. */
export function listShipments(
  db: ReadDb,
  merchantId: MerchantId,
  filters: ShipmentFilters,
  page: PageRequest,
): Promise<readonly ListedShipment[]> {
  const { statement, args } = shipmentQuery(merchantId, filters, page)
  return db.read(statement, args)
}
