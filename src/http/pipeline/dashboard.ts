import type { Bindings } from './bindings.ts'

/** The path of the dashboard, which serves every path below it. */
export const dashboardRoot = '/dashboard'

/** An app that answers the requests for the pages of the dashboard. */
export interface DashboardApp {
  fetch(request: Request, env: Bindings['Bindings']): Response | Promise<Response>
}

/**
 * Returns the app of the dashboard. A process loads the app with the first request for a page: a process that serves only
 * the API starts faster and needs less memory.
 */
export type LoadDashboard = () => Promise<DashboardApp>
