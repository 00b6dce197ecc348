import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { z } from 'zod'

/** Runs the Redocly CLI without telemetry and without its update check. */

const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' }
const tool = resolve('node_modules/@redocly/cli/bin/cli.js')

/** Maximum size of a Redocly report. The report is larger than the linted document, whose size is several megabytes. */
const outputMaxBytes = 256 * 1024 * 1024

/** Findings (exit code 1) are not an error. */
export function runRedocly(args: readonly string[]): Promise<string> {
  return new Promise((settle, reject) => {
    execFile(process.execPath, [tool, ...args], { env, maxBuffer: outputMaxBytes }, (error, out, errorOutput) => {
      // Exit code 1 means that Redocly found problems in the document. Any other code, or a signal, means that Redocly
      // itself failed.
      if (error !== null && error.code !== 1) reject(new Error(errorOutput, { cause: error }))
      else settle(out)
    })
  })
}

export interface Problem {
  readonly rule: string
  readonly pointer: string
  readonly message: string
}

const findings = z.object({
  problems: z.array(
    z.object({
      ruleId: z.string(),
      message: z.string(),
      location: z.array(z.object({ pointer: z.string().optional() })),
    }),
  ),
})

export async function lint(path: string): Promise<Problem[]> {
  const out = await runRedocly(['lint', path, '--config', 'scripts/config/redocly.yaml', '--format', 'json'])
  return findings.parse(JSON.parse(out)).problems.map(({ ruleId, message, location }) => {
    return { rule: ruleId, message, pointer: location[0]?.pointer ?? '#' }
  })
}

export async function score(path: string): Promise<number> {
  const scored = z.looseObject({ agentReadiness: z.number() })
  const out = await runRedocly(['score', path, '--format', 'json'])
  return scored.parse(JSON.parse(out)).agentReadiness
}
