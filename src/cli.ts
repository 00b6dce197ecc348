import { dispatch } from './cli/dispatch.ts'
import { UsageError } from './cli/failure.ts'

/** Entry point of `npm run -s commerce -- …`, the command line for operators and integrators. */

// A reader such as `head` closes the pipe early, which is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

try {
  await dispatch(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${lineOf(error)}\n`)
  // By convention, exit code 2 is a usage error and 1 a failure.
  process.exitCode = error instanceof UsageError ? 2 : 1
}

/** Returns the first line of the error message. A failed connection has its message only on the error per address. */
function lineOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return lineOf(error.errors[0])
  const message = error instanceof Error && error.message !== '' ? error.message : String(error)
  return message.split('\n')[0] ?? message
}
