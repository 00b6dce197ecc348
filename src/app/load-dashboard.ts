import { root } from '../dashboard/kit/root.ts'
import type { DashboardParts } from '../dashboard/kit/visit.ts'
import type { Dashboard, DashboardApp } from '../http/pipeline/dashboard.ts'
import type { Operation } from '../operations/execute/operation.ts'

/** Returns the dashboard, which is loaded once, when it is first used. A failed load is retried. */
export function lazyDashboard(site: DashboardParts, operations: readonly Operation[]): Dashboard {
  let loading: Promise<DashboardApp> | undefined
  const load = () => {
    loading ??= import('../dashboard/dashboard.ts')
      .then(({ openDashboard }) => openDashboard(site, operations))
      .catch((error: unknown) => {
        loading = undefined
        throw error
      })
    return loading
  }
  return { root, load }
}
