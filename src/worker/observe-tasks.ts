import type { TaskList } from 'graphile-worker'
import type { Meters } from '../base/meters.ts'
import { traced } from '../base/trace.ts'
import type { Tasks } from './tasks.ts'

/** Returns the tasks for the job queue. Each run is recorded in the metrics and traces. */
export function observeTasks(tasks: Tasks, meters: Meters): TaskList {
  const observe = async (job: string, run: () => Promise<void>) => {
    const startedAt = performance.now()
    let outcome: 'succeeded' | 'failed' = 'failed'
    try {
      await traced(() => ({ name: `job ${job}`, kind: 'consumer', attributes: { 'commerce.job': job } }), run)
      outcome = 'succeeded'
    } finally {
      meters.jobEnded({ job, outcome, durationMs: performance.now() - startedAt })
    }
  }
  return Object.fromEntries(
    Object.entries(tasks).map(([job, run]) => [job, (payload: unknown) => observe(job, () => run(payload))]),
  )
}
