/**
 * The form that marks the problem of a notification as resolved. The notification list and the start page show the
 * form.
 */

/** Returns the path of the form that resolves the problem of a notification. */
export const resolvePath = <Id extends string>(id: Id) => `/notifications/${id}/resolve` as const

/** The permission to change orders includes resolving problems of payments and refunds. */
export const resolvePermission = 'orders:write'
