/** The names of the checks, as /readyz reports them. */
export type CheckName =
  | 'process'
  | 'database'
  | 'schema'
  | 'clock'
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
  /** The status while a result is late; `failed` without one. A late check says nothing of what it checks. */
  readonly whenLate?: 'warned'
  /** May reject: the process is not ready then, and the error is logged. */
  run(): Promise<CheckResult>
}

export const passed: CheckResult = { is: 'passed' }

export function failed(detail: string): CheckResult {
  return { is: 'failed', detail }
}

export function warned(detail: string): CheckResult {
  return { is: 'warned', detail }
}
