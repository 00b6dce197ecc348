import chromium from '@sparticuz/chromium'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** Empty where there is no browser for this platform. */
    browserPath: string
  }
}

/**
 * A real Chromium comes with the packages. It is unpacked into the temporary folder once, before the tests, because
 * two files that unpack it at the same time would start a half of it. Elsewhere CHROME_PATH names one.
 */
export async function setup(project: TestProject) {
  const { CHROME_PATH } = process.env
  const isPacked = process.platform === 'linux' && process.arch === 'x64'
  project.provide('browserPath', CHROME_PATH ?? (isPacked ? await chromium.executablePath() : ''))
}
