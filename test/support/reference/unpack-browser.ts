import chromium from '@sparticuz/chromium'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** Empty when there is no browser for this platform. */
    browserPath: string
  }
}

/**
 * Unpacks the Chromium of the npm packages into the temporary folder before the tests, because two files that unpack it
 * at the same time would start an incomplete one. On other platforms, CHROME_PATH names a browser.
 */
export async function setup(project: TestProject) {
  const { CHROME_PATH } = process.env
  const isPacked = process.platform === 'linux' && process.arch === 'x64'
  project.provide('browserPath', CHROME_PATH ?? (isPacked ? await chromium.executablePath() : ''))
}
