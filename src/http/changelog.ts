import { readFile } from 'node:fs/promises'
import { implement } from './pipeline/implement.ts'

/** The changelog file that each release writes. It is read once. */
const released = readFile(new URL('../../generated/released/changelog.json', import.meta.url), 'utf8')
released.catch(() => undefined)

export const getChangelog = implement('getChangelog', () => released)
