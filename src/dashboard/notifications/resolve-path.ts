/**
 * The form that marks the problem of a notification as resolved. Both the notification list and the dashboard's start
 * page contain it.
 */

export const resolvePath = <Id extends string>(id: Id) => `/notifications/${id}/resolve` as const

/** A member who may change orders may also resolve problems of payments and refunds. */
export const resolvePermission = 'orders:write'
