import { z } from 'zod'

/**
 * The result of `npm audit`. If the advisory database did not respond, the result contains nothing about the packages.
 */
export type Audit =
  | { readonly is: 'unreachable'; readonly reason: string }
  | { readonly is: 'audited'; readonly advisories: number }

const report = z.object({ metadata: z.object({ vulnerabilities: z.object({ total: z.int().min(0) }) }) })

const failure = z.object({ message: z.string() })

/** Reads the output of `npm audit --json`. Any output other than a complete report counts as `unreachable`. */
export function auditOf(output: string): Audit {
  const parsed = parse(output)
  const audited = report.safeParse(parsed)
  if (audited.success) return { is: 'audited', advisories: audited.data.metadata.vulnerabilities.total }
  const failed = failure.safeParse(parsed)
  return { is: 'unreachable', reason: failed.success ? failed.data.message : 'npm audit returned no report' }
}

function parse(output: string): unknown {
  try {
    return JSON.parse(output)
  } catch {
    return undefined
  }
}
