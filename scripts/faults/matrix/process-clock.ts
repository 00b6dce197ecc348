import { rename, writeFile } from 'node:fs/promises'

/** The system clock of one process, which can be set while the process runs. */
export interface ProcessClock {
  /** The settings of the process. */
  readonly settings: Readonly<Record<string, string>>
  /** Sets the clock ahead of the correct time, or behind it if negative. */
  setAhead(ms: number): Promise<void>
}

export async function openProcessClock(path: string): Promise<ProcessClock> {
  const preload = new URL('../shift-clock.ts', import.meta.url).href
  const setAhead = async (ms: number) => {
    // Renamed, so that the process never reads half of a number.
    await writeFile(`${path}.new`, String(ms))
    await rename(`${path}.new`, path)
  }
  await setAhead(0)
  return { settings: { NODE_OPTIONS: `--import ${preload}`, CLOCK_FILE: path }, setAhead }
}
