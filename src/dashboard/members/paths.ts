export const membersPath = '/members'

/** The permission of every change of members. Only owners have it. */
export const permission = 'members:write'
