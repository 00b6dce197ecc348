import { isDeepStrictEqual } from 'node:util'
import { lockMerchantSettings, type MerchantSettings, writeMerchantSettings } from '../../store/access/merchants.ts'
import type { Actor } from '../../store/core/audit.ts'
import { type Context, mutate, type Tenant, type Work } from '../../store/core/mutation.ts'
import { lockStockByDefault, lowFlags } from '../../store/products/stock.ts'
import { availableOf, changedAtOf, emitLowStock, isLow } from '../products/stock.ts'

/** Undefined fields stay unchanged. */
export type SettingsChange = { readonly [Name in keyof MerchantSettings]: MerchantSettings[Name] | undefined }

/** Existing orders keep the settings with which they were created. */
export function updateMerchant(
  context: Context,
  actor: Actor,
  tenant: Tenant,
  change: SettingsChange,
): Promise<MerchantSettings> {
  return mutate<MerchantSettings, 'inventory.low_stock'>(context, mutationOf(actor, tenant), async (work) =>
    writeChange(work, await lockMerchantSettings(work.trx, work.merchantId), change),
  )
}

/** A change of merchant settings that a member submitted with a form, and the check that the form was not outdated. */
export interface ShownChange {
  readonly change: SettingsChange
  /** Reports whether the stored settings are still those that the form showed. */
  readonly isCurrent: (stored: MerchantSettings) => boolean
}

/** `stale`: the settings were changed after the form showed them. */
export type ShownChangeOutcome = { readonly is: 'updated' } | { readonly is: 'stale' }

/** Updates the settings from a form, unless they changed after the form was shown. */
export function updateShownSettings(
  context: Context,
  actor: Actor,
  tenant: Tenant,
  { change, isCurrent }: ShownChange,
): Promise<ShownChangeOutcome> {
  return mutate<ShownChangeOutcome, 'inventory.low_stock'>(context, mutationOf(actor, tenant), async (work) => {
    const before = await lockMerchantSettings(work.trx, work.merchantId)
    if (!isCurrent(before)) return work.abort({ is: 'stale' })
    await writeChange(work, before, change)
    return { is: 'updated' }
  })
}

function mutationOf(actor: Actor, tenant: Tenant) {
  return {
    tenant,
    actor,
    action: 'merchant.update',
    resourceType: 'merchant',
    resourceId: () => tenant.merchantId,
    emits: ['inventory.low_stock'],
  } as const
}

async function writeChange(
  work: Work<'inventory.low_stock'>,
  before: MerchantSettings,
  change: SettingsChange,
): Promise<MerchantSettings> {
  const { trx, merchantId, note } = work
  const after: MerchantSettings = {
    defaultState: change.defaultState ?? before.defaultState,
    isTaxRegistered: change.isTaxRegistered ?? before.isTaxRegistered,
    taxRateBps: change.taxRateBps ?? before.taxRateBps,
    isTaxInclusive: change.isTaxInclusive ?? before.isTaxInclusive,
    lowStockThreshold: patchedOr(change.lowStockThreshold, before.lowStockThreshold),
    pendingOrderTtlMinutes: patchedOr(change.pendingOrderTtlMinutes, before.pendingOrderTtlMinutes),
    autoConfirmsPayOnDelivery: change.autoConfirmsPayOnDelivery ?? before.autoConfirmsPayOnDelivery,
    defaultPickup: patchedOr(change.defaultPickup, before.defaultPickup),
  }
  writeMerchantSettings(trx, merchantId, after)
  if (before.lowStockThreshold !== after.lowStockThreshold) await updateLowStockFlags(work, after.lowStockThreshold)
  for (const name of namesOf(after)) {
    if (!isDeepStrictEqual(before[name], after[name]))
      note({ [name]: [auditedValue(before[name]), auditedValue(after[name])] })
  }
  return after
}

/**
 * Recomputes the low-stock flags after the default threshold changed. A raised threshold emits one event for each
 * variant that becomes low; a lowered threshold clears flags. An order that is being created, and already waits for a
 * stock lock, still uses the earlier threshold. Its creation may therefore emit a second event for the same variant.
 */
async function updateLowStockFlags(work: Work<'inventory.low_stock'>, threshold: number | null): Promise<void> {
  const { trx, merchantId } = work
  const changed = (await lockStockByDefault(trx, { merchantId }))
    .map((stock) => ({ stock, low: isLow({ isTracked: stock.isTracked, threshold }, availableOf(stock)) }))
    .filter(({ stock, low }) => stock.isLow !== low)
  if (changed.length === 0) return
  lowFlags.update(
    trx,
    changed.map(({ stock, low }) => {
      return { merchantId, variantId: stock.variantId, isLow: low, updatedAt: changedAtOf(work, stock) }
    }),
  )
  for (const { stock, low } of changed) {
    if (!low || stock.isArchived || threshold === null) continue
    emitLowStock(work, { stock, levels: stock, threshold }, { type: 'settings', orderId: null })
  }
}

function patchedOr<Value>(sent: Value | null | undefined, kept: Value | null): Value | null {
  return sent === undefined ? kept : sent
}

/**
 * The audit log records only whether a pickup address is set, because the log is never erased and an address is
 * personal data.
 */
function auditedValue(value: MerchantSettings[keyof MerchantSettings]) {
  return typeof value === 'object' && value !== null ? 'set' : value
}

function namesOf(settings: MerchantSettings): (keyof MerchantSettings)[] {
  return Object.keys(settings).filter((name): name is keyof MerchantSettings => Object.hasOwn(settings, name))
}
