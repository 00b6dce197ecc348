import { fileURLToPath } from 'node:url'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { generousEnvironment } from '../generous-limits.ts'
import { LongFilesFirst } from './long-files-first.ts'
import { RunSummary } from './run-summary.ts'

const isShuffled = process.argv.some((word) => word.startsWith('--sequence.shuffle'))
const root = fileURLToPath(new URL('../..', import.meta.url))

/** Test files of the Vitest project `rest`: tests of scripts/, and tests that start whole processes or run for long. */
const rest = ['test/scripts/**/*.test.ts', 'test/long/**/*.test.ts']

export default defineConfig({
  root,
  test: {
    // At the end of a run, Vitest ends the global setups in reverse order. The first setup creates the temporary folder
    // that the other setups use, so this folder is removed last.
    globalSetup: [
      'test/support/temporary-folder.ts',
      'test/support/server.ts',
      'test/support/reference/unpack-browser.ts',
    ],
    // Number of test workers: four more than the cores of the target machine, because many tests wait for processes,
    // browsers and locks. With six workers, the two cores are idle for 2 % of `npm test`. With four workers, they are
    // idle for 10 %.
    maxWorkers: 6,
    sequence: isShuffled ? {} : { sequencer: LongFilesFirst },
    reporters: ['default', new RunSummary()],
    projects: [
      // The two test projects: `npm test` runs `service`, and `npm run verify` runs both. Without `--project`, Vitest
      // finds a test file in either project.
      project('service', { include: ['test/**/*.test.ts'], exclude: rest }),
      project('rest', { include: rest }),
    ],
  },
})

function project(
  name: string,
  files: { readonly include: string[]; readonly exclude?: string[] },
): TestProjectInlineConfiguration {
  return {
    root,
    test: {
      name,
      ...files,
      setupFiles: ['test/support/processor-time.ts'],
      // Test timeout, long enough for a slow machine: the slowest property test takes 15 s on an idle machine and has
      // taken more than 60 s beside ten busy processes.
      testTimeout: 240_000,
      hookTimeout: 240_000,
      // Timeout of `expect.poll`. Vitest's default of one second is shorter than the start of a process on a busy
      // machine.
      expect: { poll: { timeout: 120_000 } },
      // Size of V8's young generation: four times the default, so that V8 copies less garbage. The tests in
      // test/endpoints take 8 % less CPU time.
      execArgv: ['--max-semi-space-size=64'],
      // Importing the service takes longer than most test files, so each worker imports it once. Files must not depend
      // on each other: modules hold only caches, and each file has its own database, servers and clock. The files must
      // pass in any order: `npm test -- --sequence.shuffle.files`.
      isolate: false,
      // The processes that tests start share a compile cache of Node.js, and have rate limits that no test reaches.
      env: { NODE_COMPILE_CACHE: `${root}/node_modules/.cache/compiled`, ...generousEnvironment },
    },
  }
}
