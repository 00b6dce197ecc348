import { readFile } from 'node:fs/promises'
import { implement } from './pipeline/implement.ts'

/** The released file itself, so that the served bytes are those that were reviewed. Read once; a release has one. */
const released = readFile(new URL('../../openapi.json', import.meta.url), 'utf8')
released.catch(() => undefined)

export const getOpenApiDocument = implement('getOpenApiDocument', () => released)
