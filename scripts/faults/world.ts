import type { Database } from '../../src/store/core/database.ts'
import type { Receivers } from './receivers.ts'

export interface World {
  readonly database: Database
  readonly connectionString: string
  readonly ownerConnectionString: string
  readonly receivers: Receivers
  readonly seed: string
}
