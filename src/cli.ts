import { run } from './cli/run.ts'

/** Entry point of `npm run -s commerce -- …`, the command line for operators and integrators. */

// A reader such as `head` closes the pipe early, which is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

process.exitCode = await run(process.argv.slice(2))
