import type { Endpoint } from '../../../registry/kit/endpoint.ts'
import type { Problem } from '../../../registry/kit/error-body.ts'
import type { RequestHead } from './request-head.ts'

/** If a request has the header `Service-Dry-Run: true`, the service runs the whole operation and then rolls back. */

const header = 'service-dry-run'

export function isDryRun(message: RequestHead): boolean {
  return message.headers[header] === 'true'
}

/**
 * Rejects values of the header `Service-Dry-Run` other than true and false: if a value meant as true were ignored, the
 * request could move money.
 */
export function headerProblems(endpoint: Endpoint, message: RequestHead): Problem[] {
  const value = message.headers[header]
  if (endpoint.kind !== 'write' || value === undefined || value === 'true' || value === 'false') return []
  return [
    {
      path: 'header.Service-Dry-Run',
      code: 'invalid_enum_value',
      message: 'Must be `true` or `false`.',
      fix: 'Send `true` for a dry run, or leave the header out.',
    },
  ]
}
