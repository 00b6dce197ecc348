import type { Route } from '../kit/route.ts'
import { changePickup } from './change-pickup.ts'
import { changeSettings } from './change-settings.ts'
import { settingsPage } from './show.ts'

export const settingRoutes: readonly Route[] = [settingsPage, changeSettings, changePickup]
