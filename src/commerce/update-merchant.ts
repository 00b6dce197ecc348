import type { Actor } from '../store/audit.ts'
import { lockMerchantSettings, type MerchantSettings, writeMerchantSettings } from '../store/merchants.ts'
import { type Context, mutate, type Tenant } from '../store/mutation.ts'
import { recountLowStock } from './stock-settings.ts'

/** What is undefined stays as it is. */
export type SettingsChange = { readonly [Name in keyof MerchantSettings]: MerchantSettings[Name] | undefined }

/**
 * Changes how a merchant sells. Orders keep what they were made with; those that come after see the new settings. Stock is
 * counted by a new threshold at once.
 */
export function updateMerchant(
  context: Context,
  actor: Actor,
  tenant: Tenant,
  change: SettingsChange,
): Promise<MerchantSettings> {
  const mutation = {
    tenant,
    actor,
    action: 'merchant.update',
    resourceType: 'merchant',
    resourceId: () => tenant.merchantId,
    emits: ['inventory.low_stock'],
  } as const
  return mutate(context, mutation, async (work) => {
    const { trx, merchantId, note } = work
    const before = await lockMerchantSettings(trx, merchantId)
    const after: MerchantSettings = {
      defaultState: change.defaultState ?? before.defaultState,
      isTaxRegistered: change.isTaxRegistered ?? before.isTaxRegistered,
      taxRateBps: change.taxRateBps ?? before.taxRateBps,
      isTaxInclusive: change.isTaxInclusive ?? before.isTaxInclusive,
      lowStockThreshold: keptOr(change.lowStockThreshold, before.lowStockThreshold),
      pendingOrderTtlMinutes: keptOr(change.pendingOrderTtlMinutes, before.pendingOrderTtlMinutes),
      autoConfirmsPayOnDelivery: change.autoConfirmsPayOnDelivery ?? before.autoConfirmsPayOnDelivery,
    }
    writeMerchantSettings(trx, merchantId, after)
    if (before.lowStockThreshold !== after.lowStockThreshold) await recountLowStock(work)
    for (const name of namesOf(after)) {
      if (before[name] !== after[name]) note({ [name]: [before[name], after[name]] })
    }
    return after
  })
}

function keptOr(sent: number | null | undefined, kept: number | null): number | null {
  return sent === undefined ? kept : sent
}

function namesOf(settings: MerchantSettings): (keyof MerchantSettings)[] {
  return Object.keys(settings).filter((name): name is keyof MerchantSettings => Object.hasOwn(settings, name))
}
