import type { TestApi } from '../../support/api.ts'
import { createdCustomer, readCustomer } from '../../support/commerce/customer.ts'
import type { Fields, SignedInMember } from '../../support/dashboard.ts'
import type { Shop } from '../../support/shop.ts'

export const list = '/dashboard/customers'
export const pathOf = (id: string, action = '') => `${list}/${id}${action}`
export const person = { name: 'Ngozi Eze', email: 'ngozi.eze@example.com' }

interface Opened {
  readonly shop: Shop
  readonly member: SignedInMember
}

/**
 * Returns functions that send API requests about the customers of a shop, and submit the forms about these customers in
 * the dashboard.
 */
export function customerActions(api: () => TestApi, opened: () => Opened) {
  return {
    send: (method: string, path: string, body?: object) =>
      api().send(method, `/api/v1${path}`, { token: opened().shop.token, ...(body === undefined ? {} : { body }) }),
    customer: (more: object = {}) => createdCustomer(api(), opened().shop, more),
    read: (id: string) => readCustomer(api(), opened().shop, id),
    submit: (id: string, action: string, fields: Fields = {}) =>
      opened().member.submit(pathOf(id, action), pathOf(id, action), fields),
  }
}
