import { instance } from '@viz-js/viz'
import type { Lifecycle } from './lifecycles.ts'

/**
 * Draws state machines as SVG. An image does not know the colour scheme of its page, so the drawing has light text on
 * filled boxes and grey lines, which are readable on light and on dark backgrounds.
 */

/** The number of lines above which the drawing leaves out shortcuts, because more lines cross too often to follow. */
const linesMax = 24

const line = '#808080'
const box = '#2f5d8a'
/** The fill of final statuses. */
const end = '#5f5f5f'
const text = '#ffffff'

export interface Transition {
  readonly from: string
  readonly to: string
  /** Whether the table lists the target before the source. */
  readonly isBack: boolean
}

/** Returns the drawing of a state machine as SVG. */
export async function drawingOf(lifecycle: Lifecycle): Promise<string> {
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
        ...lifecycle.statuses.map(({ name, next }) => ({
          name,
          // A label on each node, because the default applies to the start nodes too.
          attributes: { label: name, ...(next.length === 0 ? { fillcolor: end, color: end } : {}) },
        })),
        ...lifecycle.start.map((name) => ({
          name: `start ${name}`,
          attributes: { shape: 'circle', label: '', width: 0.14, fillcolor: line, color: line },
        })),
      ],
      edges: [
        ...lifecycle.start.map((name) => ({ tail: `start ${name}`, head: name })),
        ...drawnTransitions(lifecycle).map(({ from, to, isBack }) => ({
          tail: from,
          head: to,
          attributes: isBack ? { style: 'dashed', constraint: false } : {},
        })),
      ],
    },
    { format: 'svg' },
  )
  return asFile(drawn, lifecycle)
}

/** Reports whether the drawing of a lifecycle leaves out transitions that skip a status. */
export function isShortened(lifecycle: Lifecycle): boolean {
  return transitionsOf(lifecycle).length > linesMax
}

/** Returns the transitions to draw: all of a small machine, and of a large one those that no chain of others replaces. */
export function drawnTransitions(lifecycle: Lifecycle): Transition[] {
  const all = transitionsOf(lifecycle)
  if (!isShortened(lifecycle)) return all
  const forward = all.filter(({ isBack }) => !isBack)
  return all.filter(({ from, to, isBack }) => {
    const others = all.filter((other) => other.from === from && other.to !== to && other.isBack === isBack)
    return !others.some((other) => reaches(forward, other.to, to))
  })
}

function transitionsOf({ transitions }: Lifecycle): Transition[] {
  const order = Object.keys(transitions)
  return Object.entries(transitions).flatMap(([from, next]) =>
    next.map((to) => ({ from, to, isBack: order.indexOf(to) < order.indexOf(from) })),
  )
}

/** Reports whether forward transitions lead from one status to another. They contain no cycle, so the recursion ends. */
function reaches(forward: readonly Transition[], from: string, to: string): boolean {
  return from === to || forward.some((each) => each.from === from && reaches(forward, each.to, to))
}

/** Removes declarations, comments and tool tips: the pages' content security policy rejects some, and none is needed. */
function asFile(drawn: string, { title }: Lifecycle): string {
  const svg = drawn
    .slice(drawn.indexOf('<svg'))
    .replaceAll(/<!--.*?-->\n?/gs, '')
    .replaceAll(/<title>.*?<\/title>\n?/gs, '')
    .replace(' xmlns:xlink="http://www.w3.org/1999/xlink"', '')
    .replace(/^<svg /, '<svg role="img" ')
    .replace(/^(<svg[^>]*>)/, `$1\n<title>${title}</title>`)
  return `${svg.trimEnd()}\n`
}
