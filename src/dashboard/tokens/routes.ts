import type { Route } from '../kit/route.ts'
import { createTokenAction, newTokenPage } from './create.ts'
import { tokenList } from './list.ts'
import { revokeTokenAction, revokeTokenPage } from './revoke.ts'
import { rotateTokenAction } from './rotate.ts'
import { tokenPage } from './show.ts'

/**
 * The router uses the first matching path, so the path of the token form comes before that of a token's page, which
 * contains an id.
 */
export const tokenRoutes: readonly Route[] = [
  tokenList,
  newTokenPage,
  createTokenAction,
  tokenPage,
  rotateTokenAction,
  revokeTokenPage,
  revokeTokenAction,
]
