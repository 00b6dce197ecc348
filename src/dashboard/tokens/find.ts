import { TokenId } from '../../../registry/values/vocabulary.ts'
import { findToken } from '../../store/access/tokens.ts'
import { PageError } from '../kit/page-error.ts'
import type { Visit } from '../kit/visit.ts'
import type { Token } from './state.ts'

/** Returns the token of a page. Throws a page error if the merchant has none of this id. */
export async function requireToken({ context, tenant }: Visit, id: string): Promise<Token> {
  const token = await findToken(context.database, { merchantId: tenant.merchantId, id: tokenIdOf(id) })
  if (token === undefined) throw noToken()
  return token
}

/** Parses the id in a path. A malformed id is answered like an unknown one. */
export function tokenIdOf(text: string): TokenId {
  const id = TokenId.safeParse(text)
  if (!id.success) throw noToken()
  return id.data
}

export function noToken(): PageError {
  return new PageError(404, 'There is no such token. Open the list of API tokens.')
}
