import { contractVersion } from '../../registry/values/version.ts'
import type { Config } from '../base/config.ts'
import type { Log } from '../base/log.ts'
import { type Stops, within } from './stops.ts'

/**
 * Time limit for exporting the last traces during a stop. The export normally takes milliseconds, and an unresponsive
 * trace collector must not delay the stop.
 */
const stopMs = 2_000

/** Exports traces if an OTLP endpoint is configured. OpenTelemetry is loaded only in that case. */
export async function openTracing(
  { tracing }: Pick<Config, 'tracing'>,
  { log, stops }: { readonly log: Log; readonly stops: Stops },
): Promise<void> {
  if (tracing === undefined) return
  const { startTracing } = await import('../management/tracing/tracing.ts')
  const started = startTracing(tracing, { version: contractVersion }, log)
  stops.add(() => within(stopMs, started.close()))
}
