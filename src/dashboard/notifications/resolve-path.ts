/** The form that marks the condition of a notification as resolved. The list and the start page show it. */

/** Returns the path of the form of a notification. */
export const resolvePath = <Id extends string>(id: Id) => `/notifications/${id}/resolve` as const

/** Those who change orders decide whether a payment or refund that differs is settled. */
export const resolvePermission = 'orders:write'
