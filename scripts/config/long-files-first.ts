import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The files that take longest, the longest first: one that is begun last keeps a core busy while the other has nothing to do.
 * Vitest knows them only from an earlier run, which a fresh clone has not had.
 */
const longFiles = [
  'test/reference/samples.test.ts',
  'test/reference/guides.test.ts',
  'test/reference/accessibility.test.ts',
  'test/logistics/dispatch/ambiguous-responses.test.ts',
  'test/cli/commands.test.ts',
  'test/cli/webhooks.test.ts',
  'test/contract/conformance.test.ts',
  'test/contract/every-endpoint.test.ts',
  'test/registry/drift.test.ts',
  'test/cli/webhook-replay.test.ts',
  'test/faults/worker-kills.test.ts',
  'test/faults/dispatch-kills.test.ts',
  'test/logistics/dispatch/carrier-errors.test.ts',
  'test/cli/carrier.test.ts',
  'test/faults/database.test.ts',
].map((path) => fileURLToPath(new URL(`../../${path}`, import.meta.url)))

const missing = longFiles.find((path) => !existsSync(path))
if (missing !== undefined) throw new Error(`${missing} is named among the long test files and is not there.`)

/** A class, as Vitest makes it with `new`. */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const long = longFiles.flatMap((path) => sorted.filter(({ moduleId }) => moduleId === path))
    return [...long, ...sorted.filter((file) => !long.includes(file))]
  }
}
