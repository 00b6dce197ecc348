import type { z } from 'zod'

export interface ErrorDeclaration {
  readonly status: ErrorStatus
  readonly type: string
  readonly meaning: string
  readonly fix: string
  /** Whether the same request may succeed when it is repeated unchanged. */
  readonly retryable?: true
  readonly details?: z.ZodObject
  /**
   * Id prefix of the record that the error reports as missing. The service searches the merchant's other mode (live or
   * test) for the id. If the id exists there, the error message says so.
   */
  readonly recordPrefix?: RecordPrefix
  /** Seconds that a client should wait before it sends a new, different request for the same purpose. */
  readonly retryAfterSeconds?: number
}

export type RecordPrefix = 'ord' | 'pay' | 'rfd' | 'ret' | 'cus' | 'prd' | 'var' | 'dsc' | 'qte' | 'shp' | 'rmt' | 'evt'

export type ErrorStatus =
  | 400
  | 401
  | 402
  | 403
  | 404
  | 405
  | 408
  | 409
  | 412
  | 413
  | 415
  | 429
  | 431
  | 500
  | 501
  | 503
  | 505
