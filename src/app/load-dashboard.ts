import type { Dashboard } from '../dashboard/kit/visit.ts'
import type { DashboardApp, LoadDashboard } from '../http/pipeline/dashboard.ts'
import type { Operation } from '../http/pipeline/operation.ts'

/** Returns a function that loads the dashboard once and always returns the same app. A failed load is retried. */
export function dashboardLoader(site: Dashboard, operations: readonly Operation[]): LoadDashboard {
  let loading: Promise<DashboardApp> | undefined
  return () => {
    loading ??= import('../dashboard/dashboard.ts')
      .then(({ openDashboard }) => openDashboard(site, operations))
      .catch((error: unknown) => {
        loading = undefined
        throw error
      })
    return loading
  }
}
