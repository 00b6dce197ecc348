import { readFile } from 'node:fs/promises'
import { implement } from './pipeline/implement.ts'

const released = new URL('../../generated/released/changelog.json', import.meta.url)

/** The changelog file that each release writes. It is read at its first request; the pipeline keeps the response. */
export const getChangelog = implement('getChangelog', () => readFile(released, 'utf8'))
