/** A term that the texts and names of this project avoid, with the standard term to use instead. */
export interface AvoidedTerm {
  /** Identifier of the avoided term, by which an exception refers to it. */
  readonly term: string
  /** The standard term to use instead, which the failure message shows. */
  readonly use: string
  /**
   * Pattern of the term. It is matched against lower-case words separated by single spaces: `nextLookAt` and
   * `next_look_at` become `next look at`.
   */
  readonly pattern: RegExp
  /**
   * Whether the term is avoided only in names or only in texts. Elsewhere, it is ordinary English or belongs to a
   * library.
   */
  readonly only?: 'names' | 'texts'
}

/**
 * The avoided terms. The standard terms are those of Stripe’s reference, PostgreSQL’s manual and Graphile Worker’s
 * documentation.
 */
export const avoidedTerms: readonly AvoidedTerm[] = [
  { term: 'asking', use: 'attempt, or request (to a carrier)', pattern: /\baskings?\b/ },
  { term: 'word', use: 'response, or raw carrier status', pattern: /\b(own words?|its words?|word of (a|the))\b/ },
  { term: 'news', use: 'tracking update, or shipment event', pattern: /\bnews\b/ },
  { term: 'told', use: 'respond, log, record or notify', pattern: /\b(told|telling)\b/ },
  { term: 'tell', use: 'respond, log, record or notify', pattern: /\btells?\b/, only: 'names' },
  { term: 'resolved_absent', use: 'not_found_at_carrier', pattern: /\bresolved absent\b/ },
  { term: 'person', use: 'condition that needs manual action', pattern: /\ba person (should|has to|must|is|looks)\b/ },
  { term: 'hold', use: 'is resolved', pattern: /\bholds? no more\b/ },
  { term: 'call off', use: 'cancel', pattern: /\bcall(s|ed|ing)? (it |them |one )?off\b/ },
  { term: 'let go', use: 'cancel, or release', pattern: /\blet(s|ting)? (it |them )?go\b/ },
  { term: 'meet', use: 'reconcile', pattern: /\bmeets?\b/, only: 'names' },
  { term: 'late order', use: 'late acceptance', pattern: /\blate orders?\b/ },
  { term: 'look', use: 'poll, or check', pattern: /\blook(s|ed|ing)? (at|into|after|around|again|for)\b/ },
  { term: 'looks', use: 'poll, or check', pattern: /\b(next|last|first|due|a|each|every) looks?\b/ },
  { term: 'watch', use: 'subscribe, or monitor', pattern: /\bwatch(es|ed|ing|er|ers)?\b/ },
  { term: 'call back', use: 'schedule a wake-up', pattern: /\bcall(s|ed|ing)? back\b/ },
  { term: 'pulse', use: 'sweep', pattern: /\b(pulses?|beats?|beating)\b/ },
  {
    term: 'turn',
    use: 'rotate (partitions), or ready queue',
    pattern: /\bturn(s|ed|ing)? (the )?partitions?\b|\bturns\b/,
  },
  { term: 'forget', use: 'anonymise, redact, purge or omit', pattern: /\bforg(et|ets|etting|ot|otten)\b/ },
  { term: 'kept', use: 'stored, or saved', pattern: /\b(is|are|was|were|be|been|not) kept\b/ },
  { term: 'kept busy', use: 'lock timeout, or contention', pattern: /\bkept .{1,30} busy\b/ },
  { term: 'made-up', use: 'simulated', pattern: /\bmade[- ]up\b/ },
  { term: 'twist', use: 'mutation', pattern: /\b(twist(s|ed|ing)?|lies)\b/ },
  { term: 'hand', use: 'command', pattern: /(?<!\b(on|by) )\bhands?\b(?! ?over)/, only: 'names' },
  { term: 'leavable', use: 'abortable', pattern: /\b(un)?leavable\b/ },
  { term: 'twice', use: 'idempotent, or at-least-once', pattern: /\b(arrives?|see an event|come) twice\b/ },
  { term: 'piece', use: 'unit, or quantity', pattern: /\bpieces?\b/ },
  { term: 'shelf', use: 'restock', pattern: /\bshel(f|ves)\b/ },
  { term: 'count', use: 'not applicable', pattern: /\b(does|do) not count\b/ },
  { term: 'scripted', use: 'simulated, or fake', pattern: /\b(scripted|played)\b/ },
  { term: 'judge', use: 'check, decide or validate', pattern: /\bjudg(e|es|ed|ing|ement|ements|ment)\b/ },
  { term: 'chance', use: 'with jitter', pattern: /\bsome chance in\b/ },
  { term: 'lies ahead', use: 'scheduled for the future', pattern: /\blies? ahead\b/ },
  { term: 'money received', use: 'payment', pattern: /\bmoney received\b/ },
  {
    term: 'fetch',
    use: 'collect, or pick up',
    pattern:
      /\bfetch(es|ed|ing)? (a |the |an |every )?(parcel|order|package)s?\b|\bparcels? (is|are|was|were) fetched\b/,
  },
  { term: 'somebody', use: 'recipient, sender, or the actor', pattern: /\b(some|no|any|every)body\b/ },
  { term: 'whoever', use: 'the actor, as the subject', pattern: /\b(who|what|which|when|where)(so)?ever\b/ },
  { term: 'worth', use: 'retryable', pattern: /\bworth (sending|trying|asking)\b/ },
  { term: 'left alone', use: 'circuit breaker open', pattern: /\b(left|leave[sd]?) alone\b/ },
  { term: 'what it may cost', use: 'accepted price, quoted price or price ceiling', pattern: /\bmay cost\b/ },
  { term: 'hasten', use: 'expedite', pattern: /\b(hasten(s|ed|ing)?|haste)\b/ },
  {
    term: 'old operation id',
    use: 'the new operation id',
    pattern: /\b(give refund bank details|schedule predictively|list movements|list redemptions)\b/,
  },
  { term: 'goes wrong', use: 'fails', pattern: /\b(go(es)?|went|gone|going) wrong\b/ },
  { term: 'is to', use: 'must', pattern: /\b(is|are) to be\b/, only: 'texts' },
  { term: 'no more', use: 'no longer', pattern: /\bno more\b/, only: 'texts' },
  {
    term: 'leading relative clause',
    use: 'the subject first',
    pattern: /(^|[.!?] )(what (?![^.?]*\?)|nor |of (those|these|what|which|whom) |not that )/,
    only: 'texts',
  },
]
