import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { generousEnvironment } from '../generous-limits.ts'
import { LongFilesFirst } from './long-files-first.ts'

const isShuffled = process.argv.some((word) => word.startsWith('--sequence.shuffle'))
const root = fileURLToPath(new URL('../..', import.meta.url))

export default defineConfig({
  root,
  test: {
    include: ['test/**/*.test.ts'],
    // In this order: the others use the folder, which is removed last.
    globalSetup: [
      'test/support/temporary-folder.ts',
      'test/support/server.ts',
      'test/support/reference/unpack-browser.ts',
    ],
    // Long enough for a slow machine: the slowest property test takes 15 s on an idle machine and has taken more than 60 s
    // beside ten busy processes.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // Vitest's default of one second is shorter than the start of a process on a busy machine.
    expect: { poll: { timeout: 120_000 } },
    // Three more than the cores of the target machine, because many tests wait for processes, browsers and carriers.
    maxWorkers: 5,
    // Four times the default, so that less garbage is copied: the tests in test/endpoints take 8 % less CPU time.
    execArgv: ['--max-semi-space-size=64'],
    // Importing the service takes longer than most test files, so each worker imports it once. Files must not depend on each
    // other: modules hold only caches, and each file has its own database, servers and clock. The files must pass in any
    // order: `npm test -- --sequence.shuffle.files`.
    isolate: false,
    // A compile cache for the many processes that tests start, and rate limits that they do not reach.
    env: { NODE_COMPILE_CACHE: `${root}/node_modules/.cache/compiled`, ...generousEnvironment },
    sequence: isShuffled ? {} : { sequencer: LongFilesFirst },
    typecheck: { enabled: true, include: ['test/**/*.test-d.ts'], tsconfig: 'tsconfig.json' },
  },
})
