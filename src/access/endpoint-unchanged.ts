/** Thrown inside a mutation of an endpoint so that nothing of it, not even an audit row, is kept. */
export class EndpointUnchanged extends Error {
  readonly reason: 'endpoint_unknown' | 'already_so'
  constructor(reason: EndpointUnchanged['reason']) {
    super(reason)
    this.reason = reason
  }
}
