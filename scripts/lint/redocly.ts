import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { z } from 'zod'

/** The outside tool, run without telling its makers of each run and without looking for a newer version of itself. */

const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' }
const tool = resolve('node_modules/@redocly/cli/bin/cli.js')

/** Documents of some megabytes make reports of some more. */
const outputMaxBytes = 256 * 1024 * 1024

/** Its output, whatever it thinks of what it was given. */
export function runRedocly(asked: readonly string[]): Promise<string> {
  return new Promise((settle, reject) => {
    execFile(process.execPath, [tool, ...asked], { env, maxBuffer: outputMaxBytes }, (error, out, complaint) => {
      // Finding something is an exit code of 1; not starting at all, or dying, is no finding.
      if (error !== null && error.code !== 1) reject(new Error(complaint, { cause: error }))
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

/** How well programs that read documents by themselves would get on with it, by the tool’s own measure. */
export async function score(path: string): Promise<number> {
  const scored = z.looseObject({ agentReadiness: z.number() })
  const out = await runRedocly(['score', path, '--format', 'json'])
  return scored.parse(JSON.parse(out)).agentReadiness
}
