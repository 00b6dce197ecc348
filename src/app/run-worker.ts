import type { Config } from '../base/config.ts'
import { workerCheck } from '../management/checks.ts'
import type { RunningWorker, WorkerOptions } from '../worker/runner.ts'
import { openMailer } from './open-mailer.ts'
import type { Startup } from './start-step.ts'

/** Starts the worker of this process. The code of the worker is loaded only in processes that have one. */
export async function runWorker(
  options: Omit<WorkerOptions, 'log' | 'mailer' | 'publicUrl' | 'meters'>,
  config: Config,
  { log, stopping, health, metrics }: Startup,
): Promise<RunningWorker> {
  const { startWorker } = await import('../worker/runner.ts')
  const mailer = await openMailer(config, log)
  stopping.throwIfAborted()
  const { publicUrl } = config
  const worker = await startWorker({ ...options, log, mailer, publicUrl, meters: metrics.meters })
  metrics.readFrom({ pump: worker.pump })
  health.add(workerCheck(config.role, worker.sinceSweepMs))
  return worker
}
