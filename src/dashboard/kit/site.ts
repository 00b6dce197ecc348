import type { Operation } from '../../operations/execute/operation.ts'
import type { Assets } from './assets.ts'
import type { Routes } from './routing.ts'
import type { UploadSlots } from './upload-slots.ts'
import type { Dashboard } from './visit.ts'

export interface Site {
  readonly dashboard: Dashboard
  readonly assets: Assets
  readonly routes: Routes
  readonly uploadSlots: UploadSlots
  readonly operations: ReadonlyMap<string, Operation>
}
