import { z } from 'zod'
import type { ErrorDeclaration } from '../values/error.ts'
import { nullable } from '../values/vocabulary.ts'

/** What is wrong with a request by itself, before any record is looked at. */
export const requestErrors = {
  malformed_request: {
    status: 400,
    type: 'request_error',
    meaning: 'The request is not valid HTTP, or sends a header more than once that has one value.',
    fix: 'Send a well-formed HTTP/1.1 request, with the header in `details.header` once.',
    details: z.object({
      header: nullable(z.string()).meta({
        description: 'The header that is sent more than once; null for any other reason.',
        examples: ['Authorization'],
      }),
    }),
  },
  invalid_json: {
    status: 400,
    type: 'request_error',
    meaning: 'The body is not JSON, or is empty where one is required.',
    fix: 'Send one JSON object, encoded as UTF-8.',
  },
  validation_failed: {
    status: 400,
    type: 'validation_error',
    meaning: 'One or more values do not fit the schema; `errors` lists each of them.',
    fix: 'Correct every value named in `errors` and send the request again.',
  },
  unknown_parameter: {
    status: 400,
    type: 'validation_error',
    meaning: 'The query holds a parameter this operation does not have.',
    fix: 'Remove the parameters named in `errors`, or correct their spelling.',
  },
  invalid_time_range: {
    status: 400,
    type: 'validation_error',
    meaning: 'The start of a time range is not before its end.',
    fix: 'Send a `From` that is earlier than its `To`.',
  },
  invalid_cursor: {
    status: 400,
    type: 'pagination_error',
    meaning: 'The cursor was not issued by this list for this merchant, or was altered.',
    fix: 'Pass the `pagination.cursor` of the previous page unchanged, or start again without a cursor.',
  },
  cursor_expired: {
    status: 400,
    type: 'pagination_error',
    meaning: 'The cursor is 24 hours old or older.',
    fix: 'Start again from the first page, without a cursor.',
  },
  cursor_filter_mismatch: {
    status: 400,
    type: 'pagination_error',
    meaning: 'The filters sent differ from those the cursor was issued for.',
    fix: 'Send the cursor alone, or with exactly the filters of the first page.',
  },
  route_not_found: {
    status: 404,
    type: 'not_found',
    meaning: 'No operation has this path.',
    fix: 'Compare the path with the reference; every path begins with /api/v1.',
  },
  method_not_allowed: {
    status: 405,
    type: 'request_error',
    meaning: 'The path exists, but not with this method.',
    fix: 'Use one of the methods in the `Allow` header.',
  },
  request_timeout: {
    status: 408,
    type: 'request_error',
    meaning: 'The request did not arrive whole in time.',
    fix: 'Send the whole request without long pauses.',
    retryable: true,
  },
  body_too_large: {
    status: 413,
    type: 'request_error',
    meaning: 'The body has more bytes, values or levels than the operation takes.',
    fix: 'Send at most `details.max` of what `details.limit` names, in several requests if need be.',
    details: z.object({
      limit: z.enum(['bytes', 'values', 'depth']).meta({
        description:
          'What there is too much of: bytes, members and elements together, or levels of nesting. More values may be added.',
        examples: ['bytes'],
      }),
      max: z.int().meta({ description: 'The most of it that the operation takes.', examples: [65_536] }),
    }),
  },
  unsupported_media_type: {
    status: 415,
    type: 'request_error',
    meaning: 'The body is not declared as uncompressed `application/json` in UTF-8.',
    fix: 'Send `Content-Type: application/json` and no `Content-Encoding`.',
  },
  transfer_coding_unsupported: {
    status: 501,
    type: 'request_error',
    meaning: 'The body is sent with a transfer coding other than `chunked`.',
    fix: 'Send `Transfer-Encoding: chunked` alone, or a `Content-Length`.',
  },
  headers_too_large: {
    status: 431,
    type: 'request_error',
    meaning: 'The request’s headers are larger than 16 KiB.',
    fix: 'Send fewer or shorter headers.',
  },
} as const satisfies Record<string, ErrorDeclaration>
