export const membersPath = '/members'

/** The permission that every change of a member requires. Only owners have it. */
export const permission = 'members:write'
