import type { Dashboard } from '../dashboard/kit/visit.ts'
import type { DashboardApp, LoadDashboard } from '../http/pipeline/dashboard.ts'
import type { Operation } from '../http/pipeline/operation.ts'

/** Returns a function that loads the dashboard at its first call, and returns the same app at every call. It retries a failed load. */
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
