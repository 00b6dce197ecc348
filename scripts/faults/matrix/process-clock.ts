import { rename, writeFile } from 'node:fs/promises'

/** The system clock of one process, which can be set while the process runs. */
export interface ProcessClock {
  /** The environment variables that a process needs at its start, so that its clock can be set later. */
  readonly settings: Readonly<Record<string, string>>
  /** Sets the clock ahead of the correct time by this many milliseconds. A negative number sets it behind. */
  setAhead(ms: number): Promise<void>
}

export async function openProcessClock(path: string): Promise<ProcessClock> {
  const preload = new URL('../shift-clock.ts', import.meta.url).href
  const setAhead = async (ms: number) => {
    // The file with the clock offset is written under another name and then renamed, so that the process never reads an
    // incomplete number.
    await writeFile(`${path}.new`, String(ms))
    await rename(`${path}.new`, path)
  }
  await setAhead(0)
  return { settings: { NODE_OPTIONS: `--import ${preload}`, CLOCK_FILE: path }, setAhead }
}
