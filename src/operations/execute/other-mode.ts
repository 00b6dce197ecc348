import { errors } from '../../../registry/errors/index.ts'
import { AnyId } from '../../../registry/values/vocabulary.ts'
import { findInOtherMode } from '../../store/access/other-mode.ts'
import { isTransient } from '../../store/core/faults.ts'
import type { OperationContext, ValidCall } from './call.ts'
import { Refusal } from './refusal.ts'

/**
 * Maximum number of ids of one request that are searched in the other mode (live or test). Requests usually contain
 * fewer ids.
 */
const lookedUpMax = 20

/**
 * Adds a hint to a not-found error when the record exists in the other mode (live or test) of the same merchant. The
 * search covers only this merchant, and only the ids that the caller sent.
 */
export async function withOtherMode(
  { context }: OperationContext,
  call: ValidCall,
  refusal: unknown,
): Promise<unknown> {
  if (!(refusal instanceof Refusal)) return refusal
  const prefix = errors[refusal.code].recordPrefix
  if (prefix === undefined) return refusal
  const ids = idsOf(call, refusal).filter((id) => id.startsWith(`${prefix}_`))
  if (ids.length === 0) return refusal
  const { merchantId, mode } = call.caller
  const searched = { merchantId, ids: ids.slice(0, lookedUpMax) }
  const found = await findInOtherMode(context.database, prefix, searched).catch((error: unknown) => {
    // The search for the record in the other mode only adds an optional hint to the error message. If the database does
    // not respond to the search, the caller gets the error without the hint.
    if (isTransient(error)) return undefined
    throw error
  })
  if (found === undefined) return refusal
  const other = mode === 'live' ? 'test' : 'live'
  const hint = `${found} is a record of ${other} mode, and the token is for ${mode} mode. Use a token that starts with svc_${other}_.`
  return new Refusal(refusal.code, `${refusal.message} ${hint}`, refusal.more)
}

function idsOf({ params, body }: ValidCall, { details }: Refusal): string[] {
  const values = [params, body, details].flatMap((part) => Object.values(Object(part)).flat())
  return values.filter((value): value is string => AnyId.safeParse(value).success)
}
