import type { Endpoint } from '../../../registry/kit/endpoint.ts'
import type { Problem } from '../../../registry/kit/error-body.ts'
import type { Call } from '../../operations/execute/call.ts'
import { type RequestHead, valuesOf } from './request-head.ts'

/**
 * The values of the request headers that apply only to writes: `Idempotency-Key`, `If-Match` and `Service-Dry-Run`, and
 * the problems found in them.
 */
type WriteHeaders = Pick<Call, 'idempotencyKeys' | 'expectedVersion' | 'isDryRun' | 'problems'>

/**
 * The values of `If-Match`, `Idempotency-Key` and `Service-Dry-Run` for a read operation. They are the values for
 * absent headers, because a read ignores these headers.
 */
const ignored: WriteHeaders = { idempotencyKeys: [], expectedVersion: undefined, isDryRun: false, problems: [] }

/** An ETag of this API, with the quotes that RFC 9110 requires. `*`, which matches any version, is handled separately. */
const versionTag = /^(?:W\/)?"v([1-9]\d{0,9})(?:-[\w-]{1,40})?"$/

/**
 * Reports malformed header values as problems instead of ignoring them. Otherwise a write would run without the check
 * that the caller wanted, or a write that was meant as a dry run could move money.
 */
export function writeHeadersOf({ kind, ifMatch }: Endpoint, message: RequestHead): WriteHeaders {
  if (kind !== 'write') return ignored
  const { 'service-dry-run': dryRun, 'if-match': sentTag } = message.headers
  const [, digits] = versionTag.exec(sentTag ?? '') ?? []
  const problems: Problem[] = []
  if (dryRun !== undefined && dryRun !== 'true' && dryRun !== 'false') problems.push(invalidDryRun)
  if (ifMatch === 'honoured' && sentTag !== undefined && sentTag !== '*' && digits === undefined)
    problems.push(invalidTag)
  return {
    idempotencyKeys: valuesOf(message, 'idempotency-key'),
    expectedVersion: digits === undefined ? undefined : Number(digits),
    isDryRun: dryRun === 'true',
    problems,
  }
}

const invalidDryRun: Problem = {
  path: 'header.Service-Dry-Run',
  code: 'invalid_enum_value',
  message: 'Must be `true` or `false`.',
  fix: 'Send `true` for a dry run, or leave the header out.',
}

const invalidTag: Problem = {
  path: 'header.If-Match',
  code: 'invalid_format',
  message: 'Must be one ETag of this API, or *.',
  fix: 'Send the `ETag` of the record unchanged, quotes included, such as "v3".',
}
