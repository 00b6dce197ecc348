/** The bounds of merchant settings, which forms and commands check. */
export const settingLimits = {
  taxRateBps: { min: 0, max: 10_000 },
  /** Maximum low-stock threshold, in units. No shop has so many units of one variant. */
  lowStockThreshold: { min: 0, max: 1_000_000 },
  /** Maximum expiry time of unpaid orders: one year. */
  pendingOrderTtlMinutes: { min: 1, max: 525_600 },
} as const
