import { type LoadShedder, openLoadShedder, sampleLoop } from '../http/pipeline/load-shedder.ts'
import type { Database } from '../store/core/database.ts'
import type { Stops } from './stops.ts'

export function openLoad(database: Pick<Database, 'pool'>, stops: Pick<Stops, 'add'>): LoadShedder {
  const loop = sampleLoop()
  const load = openLoadShedder({
    sample: () => ({ ...loop.sample(), waiting: database.pool.waitingCount }),
  })
  stops.add(async () => {
    load.stop()
    loop.stop()
  })
  return load
}
