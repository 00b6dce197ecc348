import { isDeepStrictEqual } from 'node:util'
import { lockMerchantSettings, type MerchantSettings, writeMerchantSettings } from '../../store/access/merchants.ts'
import type { Actor } from '../../store/core/audit.ts'
import { type Context, mutate, type Tenant, type Work } from '../../store/core/mutation.ts'
import { lockStockByDefault, lowFlags } from '../../store/products/stock.ts'
import { availableOf, emitLowStock, isLow } from '../products/stock.ts'

/** What is undefined stays as it is. */
export type SettingsChange = { readonly [Name in keyof MerchantSettings]: MerchantSettings[Name] | undefined }

/** Changes how a merchant sells. Orders keep what they were made with; those that come after see the new settings. */
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
  return mutate<MerchantSettings, 'inventory.low_stock'>(context, mutation, async (work) => {
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
      defaultPickup: keptOr(change.defaultPickup, before.defaultPickup),
    }
    writeMerchantSettings(trx, merchantId, after)
    if (before.lowStockThreshold !== after.lowStockThreshold) await judgeStock(work, after.lowStockThreshold)
    for (const name of namesOf(after)) {
      if (!isDeepStrictEqual(before[name], after[name])) note({ [name]: [noted(before[name]), noted(after[name])] })
    }
    return after
  })
}

/**
 * A raised threshold makes variants low without a piece moved, and each of them is told of once; a lowered one re-arms. An
 * order that waits for the stock meanwhile still judges by the threshold it has read, and may tell of its variant again.
 */
async function judgeStock(work: Work<'inventory.low_stock'>, threshold: number | null): Promise<void> {
  const { trx, merchantId, now } = work
  const changed = (await lockStockByDefault(trx, merchantId))
    .map((stock) => ({ stock, low: isLow({ isTracked: stock.isTracked, threshold }, availableOf(stock)) }))
    .filter(({ stock, low }) => stock.isLow !== low)
  if (changed.length === 0) return
  lowFlags.update(
    trx,
    changed.map(({ stock: { variantId }, low }) => {
      return { merchant_id: merchantId, variant_id: variantId, is_low: low, updated_at: now }
    }),
  )
  for (const { stock, low } of changed) {
    if (!low || stock.isArchived || threshold === null) continue
    emitLowStock(work, { stock, levels: stock, threshold }, { type: 'settings', orderId: null })
  }
}

function keptOr<Value>(sent: Value | null | undefined, kept: Value | null): Value | null {
  return sent === undefined ? kept : sent
}

/** Of a place it is noted that there is one: who is there and where is nothing for the log, which is never erased. */
function noted(value: MerchantSettings[keyof MerchantSettings]) {
  return typeof value === 'object' && value !== null ? 'set' : value
}

function namesOf(settings: MerchantSettings): (keyof MerchantSettings)[] {
  return Object.keys(settings).filter((name): name is keyof MerchantSettings => Object.hasOwn(settings, name))
}
