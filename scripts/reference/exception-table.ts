import { type ExceptionState, exceptionSections } from '../../registry/service/exception-state.ts'
import { exceptionStates } from '../../registry/service/exceptions.ts'

const states: readonly ExceptionState[] = Object.values(exceptionStates)

export function exceptionTable(): string {
  const rows = states.map(({ state, handling, notification, section, event, code }) => {
    const sent = event === null ? 'none' : `[\`${event}\`](/webhooks/${event}.md)`
    const named = code === undefined ? sent : `${sent}, \`${code}\``
    return `| ${state} | ${handling} | \`${notification}\` | ${exceptionSections[section]} | ${named} |`
  })
  return [
    '| State | What the service does | Notification | “Today” | Event |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n')
}

export const exceptionWords: readonly string[] = states.map(({ state }) => state)
