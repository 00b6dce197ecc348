import { z } from 'zod'
import { states } from '../../registry/values/vocabulary.ts'
import { createMerchant } from '../access/create-merchant.ts'
import { resumeMerchant, suspendMerchant } from '../access/suspend-merchant.ts'
import { type SettingsChange, updateMerchant } from '../commerce/merchants/update-merchant.ts'
import { listMerchants } from '../store/access/merchants.ts'
import { command } from './command.ts'
import { connected } from './connect.ts'
import { UsageError } from './failure.ts'
import { operator } from './operator.ts'
import {
  merchantOptions,
  numberOption,
  numberOrNoneOption,
  option,
  placeOrNoneOption,
  textOption,
  truthOption,
} from './option.ts'
import { table } from './output.ts'
import { tenantOf } from './tenant.ts'

export const merchantCreate = command({
  name: 'merchant create',
  summary: 'Make a merchant and its sandbox twin.',
  options: z.strictObject({ name: textOption('What the business is called.') }),
  run: ({ name }) =>
    connected(async (context) => {
      const { id, testId } = await createMerchant(context, operator, name)
      return { json: { id, testId, name }, text: `Merchant ${id} was made; its sandbox twin is ${testId}.` }
    }),
})

export const merchantList = command({
  name: 'merchant list',
  summary: 'List the merchants and their sandbox twins, newest first.',
  options: z.strictObject({}),
  run: () =>
    connected(async ({ database }) => {
      const merchants = await listMerchants(database)
      const rows = merchants.map((merchant) => ({ ...merchant }))
      return { json: rows, text: table(rows, ['id', 'mode', 'name', 'createdAt', 'suspendedAt']) }
    }),
})

const suspensionOptions = {
  merchant: merchantOptions.merchant,
  reason: textOption('Why, for whoever asks later. It is stored in the audit log.'),
}

export const merchantSuspend = command({
  name: 'merchant suspend',
  summary: 'Refuse a merchant’s API tokens, live and test, with merchant_suspended.',
  options: z.strictObject(suspensionOptions),
  run: ({ merchant, reason }) =>
    connected(async (context) => {
      const { merchantId } = await tenantOf(context.database, { merchant, mode: 'live' })
      const { is } = await suspendMerchant(context, operator, { merchantId, reason })
      const text =
        is === 'already_so'
          ? `Merchant ${merchantId} was suspended already.`
          : `Merchant ${merchantId} is suspended. Its tokens are refused everywhere within five seconds.`
      return { json: { id: merchantId, suspended: true, changed: is !== 'already_so' }, text }
    }),
})

export const merchantResume = command({
  name: 'merchant resume',
  summary: 'Accept a suspended merchant’s API tokens again.',
  options: z.strictObject(suspensionOptions),
  run: ({ merchant, reason }) =>
    connected(async (context) => {
      const { merchantId } = await tenantOf(context.database, { merchant, mode: 'live' })
      const { is } = await resumeMerchant(context, operator, { merchantId, reason })
      const text =
        is === 'already_so'
          ? `Merchant ${merchantId} was not suspended.`
          : `Merchant ${merchantId} is resumed. Its tokens are accepted everywhere within five seconds.`
      return { json: { id: merchantId, suspended: false, changed: is !== 'already_so' }, text }
    }),
})

/** More than any shop holds of one thing, and a year, beyond which never is meant. */
const thresholdMax = 1_000_000
const ttlMaxMinutes = 525_600

const settingOptions = {
  'default-state': option(z.enum(states).optional(), {
    value: 'STATE',
    meaning: 'The state of addresses that name none.',
    must: 'must be one of the 36 states, or FCT',
  }),
  'tax-registered': truthOption('Whether VAT is charged.').optional(),
  'tax-rate-bps': numberOption('The rate of VAT in basis points: 750 is 7.5 %.', { min: 0, max: 10_000 }).optional(),
  'tax-inclusive': truthOption('Whether prices contain the VAT.').optional(),
  'low-stock-threshold': numberOrNoneOption(
    'Stock at or under which a variant is low that has no threshold of its own or of its product; none for never.',
    { min: 0, max: thresholdMax },
  ).optional(),
  'pending-order-ttl-minutes': numberOrNoneOption(
    'After how long a new order that nobody paid expires; none for never.',
    { min: 1, max: ttlMaxMinutes },
  ).optional(),
  'auto-confirm-pay-on-delivery': truthOption(
    'Whether an order to be paid on delivery is confirmed without a look at it.',
  ).optional(),
  'default-pickup': placeOrNoneOption(
    'Where parcels are fetched of which nothing else is said, as the JSON of a pickup; none for nowhere.',
  ).optional(),
}

export const merchantSet = command({
  name: 'merchant set',
  summary: 'Change a merchant’s settings, for the orders and shipments that come after. What is left out stays.',
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
    if (Object.values(change).every((value) => value === undefined)) {
      throw new UsageError(`There is nothing to set: give one of --${Object.keys(settingOptions).join(', --')}.`)
    }
    return connected(async (context) => {
      const tenant = await tenantOf(context.database, values)
      const settings = await updateMerchant(context, operator, tenant, change)
      const rows = Object.entries(settings).map(([setting, value]) => ({ setting, value: shown(value) }))
      return {
        json: { id: tenant.merchantId, mode: tenant.mode, ...settings },
        text: table(rows, ['setting', 'value']),
      }
    })
  },
})

/** As the option takes it. */
function shown(value: SettingsChange[keyof SettingsChange]): string | number | boolean {
  if (value === null || value === undefined) return 'none'
  return typeof value === 'object' ? JSON.stringify(value) : value
}
