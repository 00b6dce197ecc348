import type { Markup } from '../../markup/markup.ts'
import { badge, type Tone } from '../../markup/parts.ts'

export function responseStatus(status: number): Markup {
  return badge(String(status), toneOf(status))
}

function toneOf(status: number): Tone {
  if (status >= 500) return 'bad'
  return status >= 400 ? 'waiting' : 'good'
}
