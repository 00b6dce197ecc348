import type { Bindings } from './bindings.ts'

/** The path of the dashboard, which serves every path below it. */
export const dashboardRoot = '/dashboard'

/** App that responds to requests for the pages of the dashboard. */
export interface DashboardApp {
  fetch(request: Request, env: Bindings['Bindings']): Response | Promise<Response>
}

/**
 * Returns the app of the dashboard. A process loads it at the first request for a page, so that a process that serves
 * only the API starts faster and needs less memory.
 */
export type LoadDashboard = () => Promise<DashboardApp>
