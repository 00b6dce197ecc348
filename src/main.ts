import { cacheCompiledCode } from './base/compile-cache.ts'

/** Entry point of `npm start`. */

cacheCompiledCode()

// The compile cache stores only modules that are loaded after it was enabled.
await import('./app/main.ts')
