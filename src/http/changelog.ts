import { readFileSync } from 'node:fs'
import { implement } from './pipeline/implement.ts'

/** The changelog file that each release writes. It is read at the start, and a process without it does not start. */
const released = readFileSync(new URL('../../generated/released/changelog.json', import.meta.url), 'utf8')

export const getChangelog = implement('getChangelog', async () => released)
