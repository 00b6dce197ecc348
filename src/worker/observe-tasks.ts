import type { Meters } from '../base/meters.ts'
import type { RecurringWork } from '../base/recurring-work.ts'
import { traced } from '../base/trace.ts'
import { isScheduled } from './schedule.ts'

type Task = (payload: unknown) => Promise<void>

interface Observers {
  readonly meters: Meters
  readonly work: Pick<RecurringWork, 'observe'>
}

/**
 * Wraps the tasks, so that each run of a task is recorded in the metrics and traces. A run of a scheduled job is also
 * recorded as recurring work. Runs of other jobs are not, because a failed run concerns one merchant only, and the
 * queue logs and retries the job.
 */
export function observeTasks(tasks: Readonly<Record<string, Task>>, { meters, work }: Observers): Record<string, Task> {
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
    (payload) => {
      const runOnce = () => observe(job, () => run(payload))
      return isScheduled(job) ? work.observe(`job.${job}`, runOnce) : runOnce()
    },
  ])
  return Object.fromEntries(observed)
}
