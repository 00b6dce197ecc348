import type { Permission } from '../../../registry/values/roles.ts'

/** Members see only the pages that their role allows. */
export interface NavigationEntry {
  readonly path: string
  readonly title: string
  readonly permission: Permission
  /**
   * The paths of other pages that have no navigation entry of their own. On these pages, this entry is marked as the
   * current one.
   */
  readonly also?: readonly string[]
}

interface NavigationGroup {
  readonly title: string
  readonly entries: readonly NavigationEntry[]
}

export const searchPath = '/search'

export const navigation: readonly NavigationGroup[] = [
  {
    title: 'Operations',
    entries: [
      { path: '', title: 'Today', permission: 'notifications:read' },
      { path: '/orders', title: 'Orders', permission: 'orders:read', also: ['/payments'] },
      { path: '/shipments', title: 'Shipments', permission: 'logistics:read' },
      { path: '/refunds', title: 'Refunds', permission: 'refunds:read' },
      { path: '/returns', title: 'Returns', permission: 'orders:read' },
      { path: '/products', title: 'Products', permission: 'products:read', also: ['/stock', '/imports'] },
      { path: '/customers', title: 'Customers', permission: 'customers:read' },
      { path: '/discounts', title: 'Discounts', permission: 'discounts:read' },
      { path: '/reports', title: 'Reports', permission: 'orders:read', also: ['/activity'] },
      { path: '/exports', title: 'Exports', permission: 'orders:read' },
    ],
  },
  {
    title: 'Developers',
    entries: [
      { path: '/tokens', title: 'API tokens', permission: 'tokens:read' },
      { path: '/webhooks', title: 'Webhook endpoints', permission: 'webhooks:read' },
      { path: '/deliveries', title: 'Deliveries', permission: 'webhooks:read' },
      { path: '/events', title: 'Events', permission: 'events:read' },
      { path: '/requests', title: 'Request log', permission: 'requests:read' },
    ],
  },
  {
    title: 'Account',
    entries: [
      { path: '/audit', title: 'Audit log', permission: 'audit:read' },
      { path: '/notifications', title: 'Notifications', permission: 'notifications:read' },
      { path: '/members', title: 'Members', permission: 'members:read' },
      { path: '/settings', title: 'Settings', permission: 'settings:read' },
    ],
  },
]
