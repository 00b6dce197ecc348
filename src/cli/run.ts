import { dispatch } from './dispatch.ts'
import { UsageError } from './kit/failure.ts'

/** Exit code of a command: 0 for success, 1 for a failure and 2 for a usage error, as is usual in shells. */
export type ExitCode = 0 | 1 | 2

/** Prints one line if the command fails. */
export async function run(words: readonly string[]): Promise<ExitCode> {
  try {
    await dispatch(words)
    return 0
  } catch (error) {
    process.stderr.write(`${lineOf(error)}\n`)
    return error instanceof UsageError ? 2 : 1
  }
}

/**
 * Returns the first line of an error message. If a connection to several addresses failed, the error itself has no
 * message, so the message of the first address's error is returned.
 */
function lineOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return lineOf(error.errors[0])
  const message = error instanceof Error && error.message !== '' ? error.message : String(error)
  return message.split('\n')[0] ?? message
}
