import { UsageError } from './cli/failure.ts'
import { cacheCompiledCode } from './cli/keep-compiled.ts'

/** `npm run -s commerce -- …`: the operator's and the integrator's command line, over the same verbs as the API. */

// Whoever reads only the first lines closes the pipe; that is no failure of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

cacheCompiledCode()

try {
  // Only from here on is anything kept.
  const { dispatch } = await import('./cli/dispatch.ts')
  await dispatch(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${lineOf(error)}\n`)
  // Two by custom says that the command was written wrongly, one that it could not be carried out.
  process.exitCode = error instanceof UsageError ? 2 : 1
}

/** The first line says what went wrong; a failed connection says so only of the addresses it was tried at. */
function lineOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return lineOf(error.errors[0])
  const message = error instanceof Error && error.message !== '' ? error.message : String(error)
  return message.split('\n')[0] ?? message
}
