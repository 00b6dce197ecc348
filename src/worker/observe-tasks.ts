import type { Meters } from '../base/meters.ts'
import { traced } from '../base/trace.ts'

type Task = (payload: unknown) => Promise<void>

/** Returns the tasks. Each run is recorded in the metrics and traces. */
export function observeTasks(tasks: Readonly<Record<string, Task>>, meters: Meters): Record<string, Task> {
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
  const observed = Object.entries(tasks).map(([job, run]): [string, Task] => [
    job,
    (payload) => observe(job, () => run(payload)),
  ])
  return Object.fromEntries(observed)
}
