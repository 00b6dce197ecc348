import { errors } from '../../../registry/errors/index.ts'
import { AnyId } from '../../../registry/values/vocabulary.ts'
import { findInOtherMode } from '../../store/access/other-mode.ts'
import { Refusal } from './refusal.ts'
import type { Service, ValidRequest } from './request.ts'

/** More ids than a person would compare. */
const soughtMax = 20

/**
 * The same refusal, saying so where the record that was not found is one of the merchant's other mode. Only the twin of the
 * same merchant is searched, by the ids that the caller sent.
 */
export async function withOtherMode(service: Service, request: ValidRequest, refusal: unknown): Promise<unknown> {
  if (!(refusal instanceof Refusal)) return refusal
  const prefix = errors[refusal.code].recordPrefix
  if (prefix === undefined) return refusal
  const ids = idsOf(request, refusal).filter((id) => id.startsWith(`${prefix}_`))
  if (ids.length === 0) return refusal
  const { merchantId, mode } = request.caller
  const found = await findInOtherMode(service.context.database, prefix, { merchantId, ids: ids.slice(0, soughtMax) })
  if (found === undefined) return refusal
  const other = mode === 'live' ? 'test' : 'live'
  const hint = `${found} is a record of ${other} mode, and this is a ${mode} token. Use a token that begins with svc_${other}_.`
  const { details, problems, headers } = refusal
  const more = { details, headers, ...(problems === undefined ? {} : { problems }) }
  return new Refusal(refusal.code, `${refusal.message} ${hint}`, more)
}

/** The ids that the path and the body name, and those that the refusal found unknown. */
function idsOf({ params, body }: ValidRequest, { details }: Refusal): string[] {
  const values = [params, body, details].flatMap((part) => Object.values(Object(part)).flat())
  return values.filter((value): value is string => AnyId.safeParse(value).success)
}
