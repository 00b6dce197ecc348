import { setTimeout as wait } from 'node:timers/promises'

/** Timeout of a test round, which usually takes a second. */
export const roundMaxMs = 120_000

export async function until(isSo: () => Promise<boolean>, message: string): Promise<void> {
  const startedMs = Date.now()
  while (!(await isSo())) {
    if (Date.now() - startedMs > roundMaxMs) throw new Error(message)
    await wait(5)
  }
}
