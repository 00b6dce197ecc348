import type { Route } from '../kit/route.ts'
import { createTokenAction, newTokenPage } from './create.ts'
import { tokenList } from './list.ts'

export const tokenRoutes: readonly Route[] = [tokenList, newTokenPage, createTokenAction]
