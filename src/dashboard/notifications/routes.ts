import type { Route } from '../kit/route.ts'
import { markAllReadAction, markReadAction, notificationList } from './list.ts'
import { preferencesPage, setPreferencesAction } from './preferences.ts'

export const notificationRoutes: readonly Route[] = [
  notificationList,
  preferencesPage,
  markReadAction,
  markAllReadAction,
  setPreferencesAction,
]
