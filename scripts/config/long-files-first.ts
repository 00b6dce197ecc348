import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The slowest test files, slowest first. Vitest starts them first, because a slow file that starts last leaves the
 * other cores idle. Vitest itself has durations only from an earlier run, which a fresh clone lacks.
 */
const longFiles = [
  'test/long/backup/restore.test.ts',
  'test/contract/every-endpoint.test.ts',
  'test/scripts/conformance/conformance.test.ts',
  'test/scripts/contributing/recipes.test.ts',
  'test/long/reference/samples.test.ts',
  'test/long/reference/guides.test.ts',
  'test/long/dashboard/merchant-story.test.ts',
  'test/long/faults/stop-frozen.test.ts',
  'test/long/dashboard/accessibility-answers.test.ts',
  'test/long/logistics/ambiguous-responses.test.ts',
  'test/long/reference/accessibility.test.ts',
  'test/long/dashboard/accessibility.test.ts',
  'test/scripts/generate/drift.test.ts',
  'test/long/faults/stop-api.test.ts',
  'test/cli/webhooks.test.ts',
  'test/cli/commands.test.ts',
  'test/long/store/embedded.test.ts',
  'test/scripts/faults/worker-kills.test.ts',
  'test/faults/lock-waits.test.ts',
  'test/long/start/start.test.ts',
  'test/long/properties/linear-time.test.ts',
  'test/long/start/processes.test.ts',
  'test/long/management/canaries.test.ts',
  'test/scripts/faults/dispatch-kills.test.ts',
  'test/cli/webhook-replay.test.ts',
  'test/cli/operate.test.ts',
  'test/faults/frozen-processes.test.ts',
  'test/cli/members.test.ts',
  'test/long/faults/database.test.ts',
  'test/scripts/faults/database-kills.test.ts',
  'test/logistics/dispatch/carrier-errors.test.ts',
  'test/cli/carrier.test.ts',
].map((path) => fileURLToPath(new URL(`../../${path}`, import.meta.url)))

const missing = longFiles.find((path) => !existsSync(path))
if (missing !== undefined) throw new Error(`${missing} is listed as a slow test file but does not exist.`)

/** This is a class and not a function, because Vitest creates the test sequencer with `new`. */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const long = longFiles.flatMap((path) => sorted.filter(({ moduleId }) => moduleId === path))
    return [...long, ...sorted.filter((file) => !long.includes(file))]
  }
}
