import { readFile } from 'node:fs/promises'
import { implement } from './pipeline/implement.ts'

/** Written by each release and shipped with it. Read once. */
const released = readFile(new URL('../../generated/released/changelog.json', import.meta.url), 'utf8')
released.catch(() => undefined)

export const getChangelog = implement('getChangelog', () => released)
