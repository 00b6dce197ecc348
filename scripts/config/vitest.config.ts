import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/server.ts', 'test/support/unpack-browser.ts'],
    // A test that waits for a fact that never comes must fail, and a slow machine must not fail it earlier.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // One more than the two cores the suite is planned for: much of it waits for processes, browsers and carriers.
    maxWorkers: 3,
    typecheck: { enabled: true, include: ['test/**/*.test-d.ts'], tsconfig: 'tsconfig.json' },
  },
})
