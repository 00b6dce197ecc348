export const settingPaths = {
  page: '/settings',
  general: '/settings/general',
  pickup: '/settings/pickup',
} as const
