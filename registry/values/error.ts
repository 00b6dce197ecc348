import type { z } from 'zod'

/** What one code of the catalogue is. */
export interface ErrorDeclaration {
  readonly status: ErrorStatus
  readonly type: string
  readonly meaning: string
  readonly fix: string
  /** Only a code whose request may succeed when it is repeated unchanged. */
  readonly retryable?: true
  readonly details?: z.ZodObject
  /** Of a missing record: the prefix of its ids, by which the record may be found in the merchant's other mode. */
  readonly recordPrefix?: RecordPrefix
  /** How long to wait before asking for the same thing anew, with another request. */
  readonly retryAfterSeconds?: number
}

export type RecordPrefix = 'ord' | 'rfd' | 'cus' | 'prd' | 'var' | 'dsc' | 'qte' | 'shp' | 'evt'

export type ErrorStatus = 400 | 401 | 402 | 403 | 404 | 405 | 408 | 409 | 412 | 413 | 415 | 431 | 500 | 501 | 503
