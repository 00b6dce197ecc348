/** The path of the dashboard. All its pages are below this path. */
export const root = '/dashboard'
