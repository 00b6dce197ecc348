import { createHash } from 'node:crypto'

/**
 * SQL statements of the servers that are compared with the service. They use the service's tables, so that rows,
 * indexes and constraints are the same.
 */

/** A named statement of node-postgres, which prepares it once per connection. */
export interface NamedStatement {
  readonly name: string
  readonly text: string
}

const summaryColumns = `id, number, status, total_kobo, created_at, customer_name, customer_email`

export const findToken: NamedStatement = {
  name: 'find_token',
  text: `
    select merchant_id, scopes
    from api_tokens
    where token_hash = $1 and revoked_at is null and (expires_at is null or expires_at > now())`,
}

export const listOrders: NamedStatement = {
  name: 'list_orders',
  text: `select ${summaryColumns} from orders where merchant_id = $1 order by created_at desc, id desc limit $2`,
}

export const listOrdersAfter: NamedStatement = {
  name: 'list_orders_after',
  text: `
    select ${summaryColumns}
    from orders
    where merchant_id = $1 and (created_at, id) < ($3::timestamptz, $4)
    order by created_at desc, id desc
    limit $2`,
}

export interface SummaryRow {
  readonly id: string
  readonly number: string
  readonly status: string
  readonly total_kobo: string
  readonly created_at: Date
  readonly customer_name: string
  readonly customer_email: string
}

export function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/**
 * Returns the cursor of the page that follows a row. Unlike the service, the compared servers do not sign their
 * cursors.
 */
export function encodeCursor(row: { readonly created_at: Date; readonly id: string }): string {
  return Buffer.from(JSON.stringify([row.created_at, row.id])).toString('base64url')
}

export function decodeCursor(cursor: string): string[] {
  return JSON.parse(Buffer.from(cursor, 'base64url').toString())
}
