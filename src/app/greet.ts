import { apiRoot } from '../../registry/kit/endpoint.ts'
import type { Config } from '../base/config.ts'
import type { Log } from '../base/log.ts'
import { nextSteps } from '../demo/next-steps.ts'
import type { Database } from '../store/core/database.ts'
import { orWithout } from './start-step.ts'

interface Greeting {
  /** Example commands that use the demo data. Undefined if this is not the first start of the service. */
  readonly demo: string | undefined
  readonly config: Config
  readonly log: Log
  readonly stopping: AbortSignal
}

/** Prints the address of the API and the next steps. */
export async function greet(url: string, database: Database, { demo, config, log, stopping }: Greeting): Promise<void> {
  const hasOwnServer = config.databaseUrl !== undefined
  console.log(`Commerce Service is listening on ${url}${apiRoot}, its reference is at ${url}/docs`)
  // In production with the operator's own database server, the next steps are not printed: the log would get them at
  // each start of each process, and the operator has the guides.
  if (config.isProduction && hasOwnServer) return
  const steps =
    demo ??
    (await orWithout(
      { log, stopping, without: 'The next steps that are printed at the start could not be read from the database.' },
      () => nextSteps(database, url, hasOwnServer),
    ))
  if (steps !== undefined) console.log(steps)
}
