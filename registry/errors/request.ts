import { z } from 'zod'
import type { ErrorDeclaration } from '../values/error.ts'
import { nullable } from '../values/vocabulary.ts'

/** Errors of the request itself, which are detected before any record is read. */
export const requestErrors = {
  malformed_request: {
    status: 400,
    type: 'request_error',
    meaning: 'The request is not valid HTTP, or repeats a header that must be sent once.',
    fix: 'Send a valid HTTP/1.1 request. If `details.header` names a header, send this header only once.',
    details: z.object({
      header: nullable(z.string()).meta({
        description: 'Name of the repeated header. Null if no header is repeated.',
        examples: ['Authorization'],
      }),
    }),
  },
  invalid_json: {
    status: 400,
    type: 'request_error',
    meaning: 'The body is not valid JSON, or a required body is empty.',
    fix: 'Send one JSON object, encoded as UTF-8.',
  },
  validation_failed: {
    status: 400,
    type: 'validation_error',
    meaning: 'One or more values of the request violate the schema. `errors` lists them.',
    fix: 'Correct the values that `errors` names and send the request again.',
  },
  unknown_parameter: {
    status: 400,
    type: 'validation_error',
    meaning: 'The query has a parameter that the operation does not support.',
    fix: 'Remove the parameters in `errors`, or correct their spelling.',
  },
  invalid_time_range: {
    status: 400,
    type: 'validation_error',
    meaning: 'A time range in the query does not start before its end, or is longer than the operation permits.',
    fix: 'Send a start that is earlier than the end, and a range that is not longer than the operation permits.',
  },
  invalid_cursor: {
    status: 400,
    type: 'pagination_error',
    meaning: 'The cursor was modified, or belongs to another list or merchant.',
    fix: 'Send the `pagination.cursor` of the previous page unchanged, or start again without `cursor`.',
  },
  cursor_expired: {
    status: 400,
    type: 'pagination_error',
    meaning: 'The cursor is 24 hours old or older.',
    fix: 'Start again without `cursor`.',
  },
  cursor_filter_mismatch: {
    status: 400,
    type: 'pagination_error',
    meaning: 'The filters differ from those of the request that returned the cursor.',
    fix: 'Send the cursor without filters, or with exactly the filters of the first page.',
  },
  route_not_found: {
    status: 404,
    type: 'not_found',
    meaning: 'No operation has this path.',
    fix: 'Compare the path with the API reference. Every path starts with /api/v1.',
  },
  method_not_allowed: {
    status: 405,
    type: 'request_error',
    meaning: 'The path does not support this method.',
    fix: 'Use one of the methods in the `Allow` header of the response.',
  },
  request_timeout: {
    status: 408,
    type: 'request_error',
    meaning: 'The complete request did not arrive in time.',
    fix: 'Send the request again, without long pauses between its parts.',
    retryable: true,
  },
  body_too_large: {
    status: 413,
    type: 'request_error',
    meaning: 'The body has more bytes, values or nesting levels than the operation accepts.',
    fix: 'Reduce the size that `details.limit` names to at most `details.max`, or split the request.',
    details: z.object({
      limit: z.enum(['bytes', 'values', 'depth']).meta({
        description:
          'Exceeded limit: `bytes`; `values`, the total number of object members and array elements; or `depth`, the ' +
          'number of nesting levels. More values may be added.',
        examples: ['bytes'],
      }),
      max: z.int().meta({
        description: 'The maximum of the exceeded limit. `limit` is the name of this limit.',
        examples: [65_536],
      }),
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
    meaning: 'The body has a transfer coding other than `chunked`.',
    fix: 'Send `Transfer-Encoding: chunked` alone, or a `Content-Length`.',
  },
  http_version_unsupported: {
    status: 505,
    type: 'request_error',
    meaning: 'The request line names a version of HTTP other than 1.1 and 1.0.',
    fix: 'Send the request with HTTP/1.1. Other versions need a proxy in front of the service.',
  },
  headers_too_large: {
    status: 431,
    type: 'request_error',
    meaning: 'The request headers are larger than 16 KiB.',
    fix: 'Send fewer or shorter headers.',
  },
} as const satisfies Record<string, ErrorDeclaration>
