/** The names of the checks, as /readyz reports them. */
export type CheckName =
  | 'process'
  | 'database'
  | 'schema'
  | 'clock'
  | 'recurring_work'
  | 'deliveries'
  | 'worker'
  | 'api_processes'
  | 'encryption_key'
  | 'embedded_server'

/**
 * The result of a check. The details are public, so they are fixed texts with numbers: the message of an error may contain
 * an address or a role. A warning is reported and does not make the process not ready.
 */
export type CheckResult = { readonly is: 'passed' } | { readonly is: 'warned' | 'failed'; readonly detail: string }

export interface Check {
  readonly name: CheckName
  /** Delay between a result and the next run. */
  readonly everyMs: number
  /** The status while there is no result, because the run is late or rejects; `failed` when left out. */
  readonly withoutResult?: 'warned'
  /** May reject. The error is logged. */
  run(): Promise<CheckResult>
}

export const passed: CheckResult = { is: 'passed' }

export function failed(detail: string): CheckResult {
  return { is: 'failed', detail }
}

export function warned(detail: string): CheckResult {
  return { is: 'warned', detail }
}
