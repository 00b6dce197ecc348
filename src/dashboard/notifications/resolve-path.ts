/** The form that marks the problem of a notification as resolved. The list and the start page show it. */

/** Returns the path of the form of a notification. */
export const resolvePath = <Id extends string>(id: Id) => `/notifications/${id}/resolve` as const

/** The permission to change orders includes resolving problems of payments and refunds. */
export const resolvePermission = 'orders:write'
