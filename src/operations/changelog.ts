import { readFileSync } from 'node:fs'
import { implement } from './execute/implement.ts'

/**
 * The changelog that each release contains. The process reads the file when it starts, and does not start without it.
 */
const released = readFileSync(new URL('../../generated/released/changelog.json', import.meta.url), 'utf8')

export const getChangelog = implement('getChangelog', async () => released)
