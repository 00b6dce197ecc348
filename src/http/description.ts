import { readFile } from 'node:fs/promises'
import { implement } from './pipeline/implement.ts'

/**
 * The released OpenAPI document, served byte for byte as it was reviewed. It is read once, so that it always describes the
 * running code. It is stored as bytes: a string with characters outside Latin-1 takes twice the memory.
 */
const released = readFile(new URL('../../openapi.json', import.meta.url))
released.catch(() => undefined)

export const getOpenApiDocument = implement('getOpenApiDocument', async () => (await released).toString())
