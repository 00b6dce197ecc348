import { statSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

/**
 * Enables Node's compile cache. Compiling takes longer than most commands run. It takes nearly half of the start of the service.
 * The cache is in node_modules, which only accounts that may change the program can write. It is used only by the owner of
 * node_modules: files that root created there, an ordinary user could not delete. Other accounts can set NODE_COMPILE_CACHE.
 */
export function cacheCompiledCode(): void {
  const packages = fileURLToPath(new URL('../../node_modules', import.meta.url))
  if (statSync(packages, { throwIfNoEntry: false })?.uid !== process.getuid?.()) return
  enableCompileCache(`${packages}/.cache/compiled`)
}
