/** All pages of the dashboard are below this path. */
export const root = '/dashboard'
