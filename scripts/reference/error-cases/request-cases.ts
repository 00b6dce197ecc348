import { order, product } from '../../../registry/service/triggers/step.ts'
import { type ErrorCases, missing } from './case.ts'

const list = { operation: 'listOrders' } as const

const page = [
  product(),
  { ...order(), times: 2 },
  { operation: 'listOrders', as: 'page', query: { limit: '1' } },
] as const

/** Headers of a raw request. The host is any name. */
const host = 'Host: localhost\r\n'

export const requestCases = {
  malformed_request: {
    request: {
      raw: `GET /api/v1/orders HTTP/1.1\r\n${host}Authorization: Bearer a\r\nAuthorization: Bearer b\r\n\r\n`,
    },
  },
  invalid_json: { request: { operation: 'createOrder', text: '{' } },
  validation_failed: { request: { ...list, query: { limit: '1000' } } },
  unknown_parameter: { request: { ...list, query: { colour: 'red' } } },
  invalid_time_range: {
    request: { ...list, query: { createdFrom: '2026-02-01T00:00:00Z', createdTo: '2026-01-01T00:00:00Z' } },
  },
  invalid_cursor: { request: { ...list, query: { cursor: 'none' } } },
  cursor_expired: {
    needs: [...page, { waitSeconds: 24 * 3600 }],
    request: { ...list, query: { cursor: '{page.pagination.cursor}' } },
  },
  cursor_filter_mismatch: {
    needs: page,
    request: { ...list, query: { cursor: '{page.pagination.cursor}', status: 'cancelled' } },
  },
  route_not_found: { request: { method: 'GET', path: '/api/v1/nothing' } },
  method_not_allowed: { request: { method: 'PUT', path: '/api/v1/orders' } },
  body_too_large: {
    request: {
      operation: 'createOrder',
      text: JSON.stringify({ note: 'x'.repeat(70_000) }),
      shown: 'a body of 70,000 characters',
    },
  },
  unsupported_media_type: {
    request: { operation: 'createOrder', text: '{}', headers: { 'Content-Type': 'text/plain' } },
  },
  transfer_coding_unsupported: {
    request: { raw: `POST /api/v1/orders HTTP/1.1\r\n${host}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n` },
  },
  http_version_unsupported: { request: { raw: `GET /api/v1/orders HTTP/3.0\r\n${host}\r\n` } },
  headers_too_large: {
    request: { ...list, headers: { 'X-Long': 'x'.repeat(20_000) }, shown: 'a header of 20,000 characters' },
  },
  missing_token: { request: { ...list, token: 'none' } },
  invalid_token: { request: { ...list, token: 'unknown' } },
  token_expired: { request: { ...list, token: 'expired' } },
  token_revoked: { request: { ...list, token: 'revoked' } },
  ip_not_allowed: { request: { ...list, token: 'elsewhere' } },
  insufficient_scope: { request: { ...list, token: 'narrow' } },
  test_mode_required: { request: { operation: 'runTrigger', body: { name: 'order.created' }, token: 'live' } },
  invalid_signature: {
    request: {
      ...{ method: 'POST', path: '/callbacks/paystack/{merchant.id}', text: '{}', token: 'none' },
      headers: { 'X-Paystack-Signature': '00' },
    },
  },
  rate_limited: {
    request: { operation: 'getRefund', params: { id: missing('rfd') }, times: 100 },
  },
  invalid_idempotency_key: {
    request: {
      ...{ operation: 'createRefund', body: { orderId: missing('ord'), amountKobo: 1, reason: 'damaged' } },
      headers: { 'Idempotency-Key': 'x'.repeat(256) },
      shown: 'an `Idempotency-Key` of 256 characters',
    },
  },
} as const satisfies ErrorCases
