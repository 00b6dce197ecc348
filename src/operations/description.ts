import { readFileSync } from 'node:fs'
import { implement } from './execute/implement.ts'

/**
 * The released OpenAPI document, served byte for byte as it was reviewed. The process reads it at its start, so that it
 * always describes the running code, and does not start without it. It is stored as bytes: a string with characters
 * outside Latin-1 takes twice the memory.
 */
const released = readFileSync(new URL('../../openapi.json', import.meta.url))

export const getOpenApiDocument = implement('getOpenApiDocument', async () => released.toString())
