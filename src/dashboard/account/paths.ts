/** Permission for the account page. Every signed-in member has this page, and all roles have this permission. */
export const permission = 'settings:read'

export const accountPath = '/settings/account'
