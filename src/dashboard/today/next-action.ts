import { beforePickupStatuses } from '../../../registry/logistics/shipment-states.ts'
import type { Permission } from '../../../registry/values/roles.ts'
import { counted } from '../../base/counted.ts'
import type { Markup } from '../../markup/markup.ts'
import type { Attention } from '../../store/attention/attention.ts'
import { countedMax } from '../../store/attention/concern.ts'
import type { ShopDay } from '../../store/attention/shop-day.ts'
import { addPickup } from '../dispatch/pickup.ts'
import { mainLink, withQuery } from '../kit/parts.ts'
import { may, type Visit } from '../kit/visit.ts'
import { chooseFirst, dispatchMax } from '../orders/choose-form.ts'
import { newOrderPath } from '../orders/editor/new-form.ts'
import { settingPaths } from '../settings/paths.ts'
import { unpaidPath } from './work.ts'

/**
 * The main action of the start page is the first entry of `actions` that has at least one record. Actions on goods and
 * money come first.
 */

interface Work {
  readonly day: ShopDay
  readonly attention: Attention
  /** Whether the shop has a pickup address, without which no order can be dispatched. */
  readonly hasPickup: boolean
}

interface NextAction {
  readonly permission: Permission
  countOf(work: Work): number
  readonly path: string
  label(count: number): string
}

const actions: readonly NextAction[] = [
  {
    permission: 'settings:write',
    countOf: ({ day: { toPack }, hasPickup }) => (hasPickup ? 0 : toPack.count),
    path: settingPaths.page,
    label: () => addPickup,
  },
  {
    permission: 'logistics:dispatch',
    countOf: ({ day: { toPack }, hasPickup }) => (hasPickup ? toPack.count : 0),
    path: withQuery('/orders', { view: 'to_pack', choose: chooseFirst }),
    label: (count) => `Dispatch ${count > dispatchMax ? `${dispatchMax} of ` : ''}${numberOf(count, 'order')}`,
  },
  {
    permission: 'logistics:read',
    countOf: ({ day: { toHandOver } }) => toHandOver.count,
    path: `/shipments?status=${beforePickupStatuses.join(',')}`,
    label: (count) => `Hand over ${numberOf(count, 'parcel')}`,
  },
  {
    permission: 'logistics:dispatch',
    countOf: ({ attention: { shipments } }) => shipments.count,
    path: '/shipments?exceptions=open',
    label: (count) => `Check ${numberOf(count, 'shipment')} with a problem`,
  },
  {
    permission: 'refunds:write',
    countOf: ({ attention: { refunds } }) => refunds.count,
    path: '/refunds?status=needs_attention,failed',
    label: (count) => `Check ${numberOf(count, 'refund')} with a problem`,
  },
  {
    permission: 'orders:write',
    countOf: ({ day: { unpaid } }) => unpaid.count,
    path: unpaidPath,
    label: (count) => `Collect the payment of ${numberOf(count, 'order')}`,
  },
  {
    permission: 'orders:write',
    countOf: ({ day: { toApprove } }) => toApprove.count,
    path: '/returns?status=requested',
    label: (count) => `Approve ${numberOf(count, 'return')}`,
  },
  {
    permission: 'orders:write',
    countOf: ({ day: { toReceive } }) => toReceive.count,
    path: '/returns?status=approved,in_transit',
    label: (count) => `Receive ${numberOf(count, 'return')}`,
  },
  { permission: 'orders:write', countOf: () => 1, path: newOrderPath, label: () => 'New order' },
]

function numberOf(count: number, noun: string): string {
  return count === countedMax ? `${count}+ ${noun}s` : counted(count, noun)
}

/**
 * Returns the link of the first action that the member may do and for which at least one record waits. Undefined if
 * there is none.
 */
export function nextAction(visit: Visit, work: Work): Markup | undefined {
  const next = actions.find(({ permission, countOf }) => may(visit, permission) && countOf(work) > 0)
  return next && mainLink(next.path, next.label(next.countOf(work)))
}
