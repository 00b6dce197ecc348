import { expect, test } from 'vitest'
import { type Permission, permissions, rolePermissions } from '../../registry/values/roles.ts'

const has = (role: keyof typeof rolePermissions, permission: Permission) => rolePermissions[role].has(permission)

test('the role owner has every dashboard permission', () => {
  expect([...rolePermissions.owner].sort()).toEqual(Object.keys(permissions).sort())
})

test('only the role owner can manage members and change settings', () => {
  const roles = Object.keys(rolePermissions).filter((role) => role !== 'owner')
  expect(roles).toEqual(['developer', 'operations', 'viewer'])
  for (const role of ['developer', 'operations', 'viewer'] as const) {
    expect(has(role, 'members:write') || has(role, 'settings:write')).toBe(false)
  }
})

test('the role viewer can change nothing, and can see neither secrets nor tokens', () => {
  const forbidden = [...rolePermissions.viewer].filter((name) => !name.endsWith(':read') || name === 'tokens:read')
  expect(forbidden).toEqual([])
})

test('the role developer cannot change orders, and the role operations cannot see tokens or secrets', () => {
  expect(has('developer', 'orders:write') || has('developer', 'refunds:write')).toBe(false)
  expect(has('developer', 'webhooks:secret') && has('developer', 'tokens:write')).toBe(true)
  expect(has('operations', 'refunds:write') && has('operations', 'logistics:dispatch')).toBe(true)
  expect(has('operations', 'webhooks:secret') || has('operations', 'tokens:read')).toBe(false)
})
