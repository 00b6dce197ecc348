import { TokenId } from '../../../registry/values/vocabulary.ts'
import { findToken } from '../../store/access/tokens.ts'
import { PageError } from '../kit/page-error.ts'
import type { Visit } from '../kit/visit.ts'
import type { Token } from './state.ts'

/** Throws a page error if the merchant has no token with this id. */
export async function requireToken({ context, tenant }: Visit, id: string): Promise<Token> {
  const token = await findToken(context.database, { merchantId: tenant.merchantId, id: tokenIdOf(id) })
  if (token === undefined) throw noToken()
  return token
}

/** A malformed id gets the same response as an unknown id. */
export function tokenIdOf(text: string): TokenId {
  const id = TokenId.safeParse(text)
  if (!id.success) throw noToken()
  return id.data
}

export function noToken(): PageError {
  return new PageError(404, 'This API token does not exist. Open the list of API tokens.')
}
