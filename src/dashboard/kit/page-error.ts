/**
 * Error that a page throws to reject a request, such as a form from another session. The message is shown to the
 * member.
 */
export class PageError extends Error {
  readonly status: number
  constructor(status: 400 | 403 | 404 | 405 | 409, message: string) {
    super(message)
    this.status = status
  }
}
