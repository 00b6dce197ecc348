import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import type { ContractChange } from '../../registry/service/changelog.ts'

/**
 * Breaking changes that a reviewer accepted because no third party relies on the released contract yet. Each entry
 * names one change in the words of `npm run changes`, so that it accepts only this change, and says why the change is
 * needed.
 */
const acceptedBreaks = z.array(z.strictObject({ what: z.string().min(1), reason: z.string().min(20) }))

export type AcceptedBreak = z.infer<typeof acceptedBreaks>[number]

/** `npm run release` empties this file, because the new baseline contains the accepted changes. */
export const acceptedBreaksPath = 'scripts/config/accepted-breaks.json'

export async function readAcceptedBreaks(): Promise<AcceptedBreak[]> {
  return acceptedBreaks.parse(JSON.parse(await readFile(acceptedBreaksPath, 'utf8')))
}

export interface AcceptanceVerdict {
  readonly refused: readonly ContractChange[]
  /** Entries of the list of accepted breaks that cover no refused change. They must be deleted. */
  readonly stale: readonly AcceptedBreak[]
}

export function withoutAccepted(
  refused: readonly ContractChange[],
  accepted: readonly AcceptedBreak[],
): AcceptanceVerdict {
  const whats = new Set(accepted.map(({ what }) => what))
  const found = new Set(refused.map(({ what }) => what))
  return {
    refused: refused.filter(({ what }) => !whats.has(what)),
    stale: accepted.filter(({ what }) => !found.has(what)),
  }
}
