import type { Route } from '../kit/route.ts'
import { createTokenAction, newTokenPage } from './create.ts'
import { tokenList } from './list.ts'
import { revokeTokenAction, revokeTokenPage } from './revoke.ts'
import { rotateTokenAction } from './rotate.ts'
import { tokenPage } from './show.ts'

/** The first matching path is used, so the path of the token form comes before that of a token. */
export const tokenRoutes: readonly Route[] = [
  tokenList,
  newTokenPage,
  createTokenAction,
  tokenPage,
  rotateTokenAction,
  revokeTokenPage,
  revokeTokenAction,
]
