import { z } from 'zod'
import { states } from '../../../registry/values/states.ts'
import { settingLimits } from '../../commerce/merchants/setting-limits.ts'
import type { MerchantSettings } from '../../store/access/merchants.ts'
import { bpsPerPercent, checkBox, percentage, wholeNumber } from '../kit/fields.ts'

export type GeneralSettings = Omit<MerchantSettings, 'defaultPickup'>

export const generalFields = {
  defaultState: z.enum(states, { error: 'Choose a state.' }),
  isTaxRegistered: checkBox,
  taxRateBps: percentage(settingLimits.taxRateBps),
  isTaxInclusive: checkBox,
  lowStockThreshold: orNone(settingLimits.lowStockThreshold),
  pendingOrderTtlMinutes: orNone(settingLimits.pendingOrderTtlMinutes),
  autoConfirmsPayOnDelivery: checkBox,
}

function orNone(bounds: { readonly min: number; readonly max: number }) {
  return wholeNumber(bounds)
    .optional()
    .transform((value) => value ?? null)
}

export function shownValues(settings: GeneralSettings): Record<keyof GeneralSettings, string | undefined> {
  const ticked = (value: boolean) => (value ? 'yes' : undefined)
  const number = (value: number | null) => (value === null ? undefined : String(value))
  return {
    defaultState: settings.defaultState,
    isTaxRegistered: ticked(settings.isTaxRegistered),
    taxRateBps: String(settings.taxRateBps / bpsPerPercent),
    isTaxInclusive: ticked(settings.isTaxInclusive),
    lowStockThreshold: number(settings.lowStockThreshold),
    pendingOrderTtlMinutes: number(settings.pendingOrderTtlMinutes),
    autoConfirmsPayOnDelivery: ticked(settings.autoConfirmsPayOnDelivery),
  }
}

/**
 * Schema of a hidden form field with the settings that the form showed before the member changed them, as JSON text.
 * The parsed value is undefined if the text is missing or damaged.
 */
export const ShownSettings = z
  .string()
  .optional()
  .transform((text): GeneralSettings | undefined => StoredSettings.safeParse(jsonOf(text ?? '')).data)

const StoredSettings = z.strictObject({
  defaultState: z.enum(states),
  isTaxRegistered: z.boolean(),
  taxRateBps: z.int(),
  isTaxInclusive: z.boolean(),
  lowStockThreshold: z.int().nullable(),
  pendingOrderTtlMinutes: z.int().nullable(),
  autoConfirmsPayOnDelivery: z.boolean(),
})

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
