/**
 * Runs work with a signal that aborts after the given time. The timer ends with the work. The timer of
 * `AbortSignal.timeout` would fire later, and an aborted signal costs an exception with a stack trace.
 */
export async function abortAfter<Result>(
  timeoutMs: number,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), timeoutMs)
  try {
    return await run(controller.signal)
  } finally {
    clearTimeout(timer)
  }
}
