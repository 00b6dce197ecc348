import type { Route } from '../kit/route.ts'
import { markAllReadAction, markReadAction, notificationList, resolveNotificationAction } from './list.ts'
import { preferencesPage, setPreferencesAction } from './preferences.ts'

export const notificationRoutes: readonly Route[] = [
  notificationList,
  preferencesPage,
  markReadAction,
  markAllReadAction,
  resolveNotificationAction,
  setPreferencesAction,
]
