/** Every signed-in member has an account page. All roles have this permission. */
export const permission = 'settings:read'

export const accountPath = '/settings/account'
