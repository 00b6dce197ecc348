/** The names of the health checks, as /readyz reports them. */
export type CheckName =
  | 'process'
  | 'database'
  | 'schema'
  | 'clock'
  | 'recurring_work'
  | 'deliveries'
  | 'nodes'
  | 'worker'
  | 'api_processes'
  | 'encryption_key'
  | 'embedded_server'

/**
 * The result of a health check. The details are public, so they are fixed texts with numbers: an error message may
 * contain an address or a role. A process with a warning stays ready.
 */
export type CheckResult = { readonly is: 'passed' } | { readonly is: 'warned' | 'failed'; readonly detail: string }

export interface Check {
  readonly name: CheckName
  /** Delay between the result of a health check and its next run. */
  readonly everyMs: number
  /**
   * The status that a health check reports while it has no result, because its run is late or threw an error. The
   * default is `failed`.
   */
  readonly withoutResult?: 'warned'
  /** May reject; the caller then logs the error. */
  run(): Promise<CheckResult>
}

export const passed: CheckResult = { is: 'passed' }

export function failed(detail: string): CheckResult {
  return { is: 'failed', detail }
}

export function warned(detail: string): CheckResult {
  return { is: 'warned', detail }
}
