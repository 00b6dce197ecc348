import { instance } from '@viz-js/viz'
import type { Life } from './lives.ts'

/**
 * A state machine as a picture. It stands on light and on dark pages, also where it is shown as an image that knows
 * nothing of the page: light text on filled boxes, and lines of a grey that both grounds bear.
 */

/** More lines than these cross so much that nobody can follow one: beyond, only the next steps are drawn. */
const linesMax = 24

const line = '#808080'
const box = '#2f5d8a'
/** Nothing follows. */
const end = '#5f5f5f'
const text = '#ffffff'

export interface Move {
  readonly from: string
  readonly to: string
  /** Whether it leads to a state that the table lists earlier. */
  readonly isBack: boolean
}

export async function drawingOf(life: Life): Promise<string> {
  const viz = await instance()
  const drawn = viz.renderString(
    {
      graphAttributes: { rankdir: 'TB', bgcolor: 'transparent', nodesep: 0.35, ranksep: 0.45 },
      nodeAttributes: {
        shape: 'box',
        style: 'filled,rounded',
        fillcolor: box,
        color: box,
        fontcolor: text,
        fontname: 'Helvetica',
        fontsize: 13,
      },
      edgeAttributes: { color: line, arrowsize: 0.7 },
      nodes: [
        ...life.states.map(({ name, next }) => ({
          name,
          // Said for each, because the beginnings have none.
          attributes: { label: name, ...(next.length === 0 ? { fillcolor: end, color: end } : {}) },
        })),
        ...life.start.map((name) => ({
          name: `begin ${name}`,
          attributes: { shape: 'circle', label: '', width: 0.14, fillcolor: line, color: line },
        })),
      ],
      edges: [
        ...life.start.map((name) => ({ tail: `begin ${name}`, head: name })),
        ...drawnMoves(life).map(({ from, to, isBack }) => ({
          tail: from,
          head: to,
          attributes: isBack ? { style: 'dashed', constraint: false } : {},
        })),
      ],
    },
    { format: 'svg' },
  )
  return asFile(drawn, life)
}

/** Whether states on the way of a line are left out. */
export function isShortened(life: Life): boolean {
  return movesOf(life).length > linesMax
}

/** All moves; of many, only those that no way round through other moves in the same direction replaces. */
export function drawnMoves(life: Life): Move[] {
  const all = movesOf(life)
  if (!isShortened(life)) return all
  const forward = all.filter(({ isBack }) => !isBack)
  return all.filter(({ from, to, isBack }) => {
    const others = all.filter((move) => move.from === from && move.to !== to && move.isBack === isBack)
    return !others.some((other) => reaches(forward, other.to, to))
  })
}

function movesOf({ transitions }: Life): Move[] {
  const order = Object.keys(transitions)
  return Object.entries(transitions).flatMap(([from, next]) =>
    next.map((to) => ({ from, to, isBack: order.indexOf(to) < order.indexOf(from) })),
  )
}

/** Along moves that only lead onwards, which therefore have no circle. */
function reaches(forward: readonly Move[], from: string, to: string): boolean {
  return from === to || forward.some((move) => move.from === from && reaches(forward, move.to, to))
}

/** Without what a page’s policy refuses or a reader does not need: declarations, comments, tool tips. */
function asFile(drawn: string, life: Life): string {
  const svg = drawn
    .slice(drawn.indexOf('<svg'))
    .replaceAll(/<!--.*?-->\n?/gs, '')
    .replaceAll(/<title>.*?<\/title>\n?/gs, '')
    .replace(' xmlns:xlink="http://www.w3.org/1999/xlink"', '')
    .replace(/^<svg /, '<svg role="img" ')
    .replace(/^(<svg[^>]*>)/, `$1\n<title>${life.title}</title>`)
  return `${svg.trimEnd()}\n`
}
