import { readFileSync } from 'node:fs'
import { afterAll } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /** Processor time of a test file, with that of the child processes that ended in it. */
    processorMs?: number
  }
}

/** Measures each test file for the table at the end of the run. */

const startMs = processorMs()

// Vitest runs the hooks of the end in reverse order, so this one runs last. It requires a pattern as the first parameter.
afterAll(({}, { file }) => {
  file.meta.processorMs = processorMs() - startMs
})

function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000 + childrenMs()
}

/** Node.js does not report the processor time of children; Linux does, in hundredths of a second. */
function childrenMs(): number {
  if (process.platform !== 'linux') return 0
  // The name of the program, which may contain spaces, is in parentheses.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[13]) + Number(fields[14])) * 10
}
