import { z } from 'zod'
import { states } from '../../registry/values/states.ts'
import { createMerchant } from '../access/create-merchant.ts'
import { setRateLimits } from '../access/set-rate-limits.ts'
import { resumeMerchant, suspendMerchant } from '../access/suspend-merchant.ts'
import { settingLimits } from '../commerce/merchants/setting-limits.ts'
import { type SettingsChange, updateMerchant } from '../commerce/merchants/update-merchant.ts'
import { getMerchantSettings, listMerchants } from '../store/access/merchants.ts'
import { command } from './kit/command.ts'
import { connected } from './kit/connect.ts'
import { UsageError } from './kit/failure.ts'
import { operator } from './kit/operator.ts'
import {
  booleanOption,
  merchantOptions,
  numberOption,
  numberOrNoneOption,
  option,
  placeOrNoneOption,
  rateLimitsOrDefaultOption,
  textOption,
} from './kit/option.ts'
import { table } from './kit/output.ts'
import { tenantOf } from './kit/tenant.ts'

export const merchantCreate = command({
  name: 'merchant create',
  summary: 'Create a merchant and its test-mode merchant.',
  options: z.strictObject({ name: textOption('The name of the business.') }),
  run: ({ name }) =>
    connected(async (context) => {
      const { id, testId } = await createMerchant(context, operator, name)
      return { json: { id, testId, name }, text: `Created merchant ${id}; its test-mode merchant is ${testId}.` }
    }),
})

export const merchantList = command({
  name: 'merchant list',
  summary: 'List the merchants and their test-mode merchants, newest first.',
  options: z.strictObject({}),
  run: () =>
    connected(async ({ database }) => {
      const merchants = await listMerchants(database, {})
      const rows = merchants.map((merchant) => ({ ...merchant }))
      return { json: rows, text: table(rows, ['id', 'mode', 'name', 'createdAt', 'suspendedAt']) }
    }),
})

const suspensionOptions = {
  merchant: merchantOptions.merchant,
  reason: textOption('The reason, which is stored in the audit log.'),
}

export const merchantSuspend = command({
  name: 'merchant suspend',
  summary: 'Suspend a merchant: its API tokens, live and test, are rejected with merchant_suspended.',
  options: z.strictObject(suspensionOptions),
  run: ({ merchant, reason }) =>
    connected(async (context) => {
      const { merchantId } = await tenantOf(context.database, { merchant, mode: 'live' })
      const { is } = await suspendMerchant(context, operator, { merchantId, reason })
      const text =
        is === 'unchanged'
          ? `Merchant ${merchantId} is already suspended.`
          : `Merchant ${merchantId} is suspended. All processes reject its tokens within five seconds.`
      return { json: { id: merchantId, suspended: true, changed: is !== 'unchanged' }, text }
    }),
})

export const merchantResume = command({
  name: 'merchant resume',
  summary: 'Resume a suspended merchant: its API tokens are accepted again.',
  options: z.strictObject(suspensionOptions),
  run: ({ merchant, reason }) =>
    connected(async (context) => {
      const { merchantId } = await tenantOf(context.database, { merchant, mode: 'live' })
      const { is } = await resumeMerchant(context, operator, { merchantId, reason })
      const text =
        is === 'unchanged'
          ? `Merchant ${merchantId} is not suspended.`
          : `Merchant ${merchantId} is resumed. All processes accept its tokens within five seconds.`
      return { json: { id: merchantId, suspended: false, changed: is !== 'unchanged' }, text }
    }),
})

const settingOptions = {
  'default-state': option(z.enum(states).optional(), {
    value: 'STATE',
    meaning: 'The Nigerian state of addresses that name no state.',
    must: 'must be one of the 36 states, or FCT',
  }),
  'tax-registered': booleanOption('Whether VAT is charged.').optional(),
  'tax-rate-bps': numberOption('The VAT rate in basis points: 750 is 7.5 %.', settingLimits.taxRateBps).optional(),
  'tax-inclusive': booleanOption('Whether prices include VAT.').optional(),
  'low-stock-threshold': numberOrNoneOption(
    'Available quantity at or below which a variant is low on stock, unless the variant or its product has a threshold. If the value is none, no variant is low on stock.',
    settingLimits.lowStockThreshold,
  ).optional(),
  'pending-order-ttl-minutes': numberOrNoneOption(
    'Minutes after which a new order expires if it is not paid. If the value is none, orders never expire.',
    settingLimits.pendingOrderTtlMinutes,
  ).optional(),
  'auto-confirm-pay-on-delivery': booleanOption(
    'Whether orders with payment on delivery are confirmed automatically.',
  ).optional(),
  'default-pickup': placeOrNoneOption(
    'The default pickup address, as JSON. The value none removes the address.',
  ).optional(),
  'rate-limit': rateLimitsOrDefaultOption(
    'Rate limits per token: requests and the seconds in which the quota refills. The value default restores the limits of RATE_LIMITS.',
  ).optional(),
}

export const merchantSet = command({
  name: 'merchant set',
  summary: 'Change a merchant’s settings and rate limits. Omitted settings stay unchanged.',
  options: z.strictObject({ ...merchantOptions, ...settingOptions }),
  run: (values) => {
    const change: SettingsChange = {
      defaultState: values['default-state'],
      isTaxRegistered: values['tax-registered'],
      taxRateBps: values['tax-rate-bps'],
      isTaxInclusive: values['tax-inclusive'],
      lowStockThreshold: values['low-stock-threshold'],
      pendingOrderTtlMinutes: values['pending-order-ttl-minutes'],
      autoConfirmsPayOnDelivery: values['auto-confirm-pay-on-delivery'],
      defaultPickup: values['default-pickup'],
    }
    const rateLimits = values['rate-limit']
    const isChanged = Object.values(change).some((value) => value !== undefined)
    if (rateLimits === undefined && !isChanged) {
      throw new UsageError(`Nothing to change. Give at least one of --${Object.keys(settingOptions).join(', --')}.`)
    }
    return connected(async (context) => {
      const tenant = await tenantOf(context.database, values)
      const settings = isChanged
        ? await updateMerchant(context, operator, tenant, change)
        : await getMerchantSettings(context.database, tenant.merchantId)
      if (rateLimits !== undefined) await setRateLimits(context, operator, tenant, rateLimits)
      const limited = rateLimits === undefined ? {} : { rateLimits: rateLimits ?? 'default' }
      const rows = Object.entries({ ...settings, ...limited }).map(([setting, value]) => ({
        setting,
        value: shown(value),
      }))
      return {
        json: { id: tenant.merchantId, mode: tenant.mode, ...settings, ...limited },
        text: table(rows, ['setting', 'value']),
      }
    })
  },
})

/** Formats a merchant setting in the form that the setting’s command-line option accepts. */
function shown(value: SettingsChange[keyof SettingsChange] | string): string | number | boolean {
  if (value === null || value === undefined) return 'none'
  return typeof value === 'object' ? JSON.stringify(value) : value
}
