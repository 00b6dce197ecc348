/** Permission for the account page. All roles have this permission, so every signed-in member can open the page. */
export const permission = 'settings:read'

export const accountPath = '/settings/account'
