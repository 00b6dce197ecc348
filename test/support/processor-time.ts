import { readFileSync } from 'node:fs'
import { afterAll } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /**
     * Processor time in milliseconds that a test file used, including the time of child processes that ended before the
     * file did.
     */
    processorMs?: number
  }
}

/** Measures the processor time of each test file, for the table that is printed at the end of the run. */

const startMs = processorMs()

// Vitest runs after-hooks in reverse order, so this hook, which is registered first, runs last. Vitest requires a
// destructuring pattern as the first parameter.
afterAll(({}, { file }) => {
  file.meta.processorMs = processorMs() - startMs
})

function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000 + childrenMs()
}

/** Node.js does not report the processor time of child processes. Linux does, in hundredths of a second. */
function childrenMs(): number {
  if (process.platform !== 'linux') return 0
  // In `/proc/<pid>/stat`, the program name is in parentheses and may contain spaces.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[13]) + Number(fields[14])) * 10
}
