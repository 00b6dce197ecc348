import { errors } from '../../../registry/errors/index.ts'
import { isNodeLost, isTransient, isUnavailable } from '../../store/core/faults.ts'
import { QueueRefused } from '../../store/core/keyed-queue.ts'
import { MerchantUnreachable } from '../../store/core/reachability.ts'
import type { OperationContext } from './call.ts'
import { Refusal } from './refusal.ts'

/** Converts an error to a refusal. For an unexpected error, the caller gets a generic message and the log gets the error. */
export function refusalOf(
  { log, context }: Pick<OperationContext, 'log' | 'context'>,
  error: unknown,
  requestId: string,
): Refusal {
  if (error instanceof Refusal) return error
  // The health check of the nodes has already logged the loss of the node, so the loss is not logged again for each
  // request.
  if (error instanceof MerchantUnreachable) return new Refusal('service_unavailable', databaseLost)
  if (error instanceof QueueRefused)
    return new Refusal('service_unavailable', 'Too many requests of this merchant are queued.')
  log.error({ err: error, requestId }, 'request failed')
  if (isUnavailable(error) || (context.database.reachability.isDistributed() && isNodeLost(error)))
    return new Refusal('service_unavailable', databaseLost)
  if (isFileMissing(error))
    return new Refusal(
      'service_unavailable',
      'This process cannot read a file of its release, because the file was moved or replaced. Other processes can respond.',
    )
  if (isTransient(error)) return new Refusal('service_unavailable', 'The database was busy for too long.')
  return new Refusal('internal_error', errors.internal_error.meaning)
}

const databaseLost = 'The database cannot be reached.'

/**
 * Reports whether the error means that a file of the release is missing. An operator may move the files of the release
 * while the process runs. The dashboard, the API reference and the passkey library are loaded only when they are first
 * used, because most processes never use them.
 */
function isFileMissing(error: unknown): boolean {
  const [code, syscall]: unknown[] = ['code', 'syscall'].map((name) => Reflect.get(Object(error), name))
  return code === 'ERR_MODULE_NOT_FOUND' || (code === 'ENOENT' && (syscall === 'open' || syscall === 'scandir'))
}
