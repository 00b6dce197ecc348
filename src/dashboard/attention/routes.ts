import type { Route } from '../kit/route.ts'
import { attentionPage } from './show.ts'

export const attentionRoutes: readonly Route[] = [attentionPage]
