import { readFile } from 'node:fs/promises'
import { implement } from './pipeline/implement.ts'

/** The released OpenAPI document, served byte for byte as it was reviewed. It is read once. */
const released = readFile(new URL('../../openapi.json', import.meta.url), 'utf8')
released.catch(() => undefined)

export const getOpenApiDocument = implement('getOpenApiDocument', () => released)
