import type { TestApi } from '../../support/api.ts'
import type { Fields, SignedInMember } from '../../support/dashboard.ts'
import type { Shop } from '../../support/shop.ts'

export const list = '/dashboard/discounts'
export const create = `${list}/new`
export const pathOf = (id: string, action = '') => `${list}/${id}${action}`

export const basic = { code: 'DETTY10', type: 'percentage', value: '10' }

interface Opened {
  readonly shop: Shop
  readonly member: SignedInMember
}

/** Returns functions that use the discounts of a shop through the API, and create them in the dashboard. */
export function discountActions(api: () => TestApi, opened: () => Opened) {
  const send = (method: string, path: string, body?: object) =>
    api().send(method, `/api/v1${path}`, { token: opened().shop.token, ...(body === undefined ? {} : { body }) })
  const submitNew = (fields: Fields) => opened().member.submit(create, create, { ...basic, ...fields })
  return {
    send,
    submitNew,
    discountOf: async (id: string) => (await send('GET', `/discounts/${id}`)).body,
    created: async (fields: Fields = {}): Promise<string> => {
      const { location = '' } = await submitNew(fields)
      const [, id = ''] = /discounts\/(dsc_\w+)/.exec(location) ?? []
      return id
    },
    customer: async (more: object = {}) => {
      const body = { name: 'Ngozi Eze', email: 'ngozi.eze@example.com', ...more }
      return (await send('POST', '/customers', body)).body.id
    },
  }
}
