import { errors } from '../../../registry/errors/index.ts'
import { isTransient, isUnavailable } from '../../store/core/faults.ts'
import { QueueRefused } from '../../store/core/keyed-queue.ts'
import { Refusal } from './refusal.ts'
import type { Service } from './request.ts'

/** Converts an error to a refusal. For an unexpected error, the caller gets a generic message and the log gets the error. */
export function refusalOf({ log }: Pick<Service, 'log'>, error: unknown, requestId: string): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof QueueRefused)
    return new Refusal('service_unavailable', 'Too many requests of this merchant are queued.')
  log.error({ err: error, requestId }, 'request failed')
  if (isUnavailable(error)) return new Refusal('service_unavailable', 'The database cannot be reached.')
  if (isTransient(error)) return new Refusal('service_unavailable', 'The database was busy for too long.')
  return new Refusal('internal_error', errors.internal_error.meaning)
}
