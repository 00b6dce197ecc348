import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { LongFilesFirst } from './long-files-first.ts'

const isShuffled = process.argv.some((word) => word.startsWith('--sequence.shuffle'))
const root = fileURLToPath(new URL('../..', import.meta.url))

export default defineConfig({
  root,
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/server.ts', 'test/support/reference/unpack-browser.ts'],
    // A test that waits for a fact that never comes must fail, and a slow machine must not fail it earlier: the slowest
    // property takes 15 s on an idle machine, and was seen to take more than 60 s beside ten busy processes.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // As long as a fact may take to come on a busy machine: Vitest's own second is less than a process needs to start.
    expect: { poll: { timeout: 120_000 } },
    // One more than the two cores the suite is planned for: much of it waits for processes, browsers and carriers.
    maxWorkers: 3,
    // To import the service takes longer than most files run, so a worker does it once. No file may lean on that: what
    // modules keep is caches, and each file has a database, servers and a clock of its own. In any order they must pass:
    // `npm test -- --sequence.shuffle.files`.
    isolate: false,
    // For the many processes that tests start, each of which would compile the service anew.
    env: { NODE_COMPILE_CACHE: `${root}/node_modules/.cache/compiled` },
    sequence: isShuffled ? {} : { sequencer: LongFilesFirst },
    typecheck: { enabled: true, include: ['test/**/*.test-d.ts'], tsconfig: 'tsconfig.json' },
  },
})
