import { statSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

/**
 * Keeps what was compiled for the next command, since to compile takes longer than most commands run. It is kept among
 * the packages, where nobody writes who may not change the program itself. Only for whom they belong to: what root left
 * there, an ordinary user could not remove.
 */
export function cacheCompiledCode(): void {
  const packages = fileURLToPath(new URL('../../node_modules', import.meta.url))
  if (statSync(packages, { throwIfNoEntry: false })?.uid !== process.getuid?.()) return
  enableCompileCache(`${packages}/.cache/compiled`)
}
