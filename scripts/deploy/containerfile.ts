/** The instructions of a Containerfile, so that the deployment check can run the same steps without a container engine. */

export interface Stage {
  /** The name of the build stage after AS; undefined for the last stage, which is the image. */
  readonly name: string | undefined
  /**
   * The earlier build stage whose files are the start of this stage. Undefined if the stage starts with the image of
   * Node.js.
   */
  readonly base: string | undefined
  readonly copies: readonly Copy[]
  /** Shell commands of the build stage. They run after all copies, as the user of the stage. */
  readonly commands: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  /** User and group ids with which this build stage runs its commands, such as `1000:1000`; undefined for root. */
  readonly user: string | undefined
  readonly ports: readonly number[]
  readonly start: readonly string[]
  /** The command whose exit code reports whether the container is healthy. */
  readonly healthCheck: readonly string[]
}

export interface Copy {
  /** The earlier build stage from which files are copied. Undefined if they are copied from the repository. */
  readonly from: string | undefined
  readonly sources: readonly string[]
  /** A path in `/app`, the working directory of all stages. */
  readonly target: string
}

/** Returns the stages of the container file in order. Throws for an instruction that this check cannot run. */
export function stagesOf(containerfile: string): readonly Stage[] {
  const stages: Stage[] = []
  for (const line of linesOf(containerfile)) {
    const [, instruction = '', rest = ''] = /^(\w+) (.*)$/s.exec(line) ?? []
    if (instruction === 'ARG' && stages.length === 0) continue
    if (instruction === 'FROM') {
      const [, from, name] = /^(\S+)(?: AS (\S+))?$/.exec(rest) ?? []
      stages.push({ ...emptyStage, name, base: stages.find((stage) => stage.name === from)?.name })
      continue
    }
    const stage = stages.pop()
    if (stage === undefined) throw new Error(`${instruction} comes before the first FROM.`)
    stages.push(withInstruction(stage, instruction, rest))
  }
  return stages
}

const emptyStage: Stage = {
  name: undefined,
  base: undefined,
  copies: [],
  commands: [],
  environment: {},
  user: undefined,
  ports: [],
  start: [],
  healthCheck: [],
}

function withInstruction(stage: Stage, instruction: string, rest: string): Stage {
  switch (instruction) {
    case 'COPY':
      return { ...stage, copies: [...stage.copies, copyOf(rest)] }
    case 'RUN':
      return { ...stage, commands: [...stage.commands, rest] }
    case 'ENV': {
      const [, name = '', value = ''] = /^(\w+)=(\S*)$/.exec(rest) ?? []
      if (name === '') throw new Error(`ENV ${rest} must set one variable to one word.`)
      return { ...stage, environment: { ...stage.environment, [name]: value } }
    }
    case 'USER':
      return { ...stage, user: rest }
    case 'EXPOSE':
      return { ...stage, ports: rest.split(/\s+/).map(Number) }
    case 'CMD':
      return { ...stage, start: wordsOf(rest) }
    case 'HEALTHCHECK':
      return { ...stage, healthCheck: wordsOf(rest.slice(rest.indexOf('CMD ') + 'CMD '.length)) }
    case 'WORKDIR':
      if (rest !== '/app') throw new Error(`WORKDIR must be /app, not ${rest}.`)
      return stage
    case 'STOPSIGNAL':
      return stage
    default:
      throw new Error(`The deployment check cannot run ${instruction}.`)
  }
}

function copyOf(rest: string): Copy {
  const words = rest.split(/\s+/)
  const [flag = ''] = words
  const from = /^--from=(.+)$/.exec(flag)?.[1]
  const paths = from === undefined ? words : words.slice(1)
  return { from, sources: paths.slice(0, -1), target: paths.at(-1) ?? '' }
}

function wordsOf(text: string): readonly string[] {
  const words: unknown = JSON.parse(text)
  if (!Array.isArray(words)) throw new Error(`${text} must be a JSON array.`)
  return words.map(String)
}

/**
 * Returns the lines of the container file without comments. A line that ends with a backslash is joined with the next
 * line.
 */
function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .filter((line) => !/^\s*(#|$)/.test(line))
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '')
}
