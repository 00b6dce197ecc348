/** A page rejects a request, such as a form of another session. The message is for the member. */
export class PageError extends Error {
  readonly status: number
  constructor(status: 400 | 403 | 404 | 405 | 409, message: string) {
    super(message)
    this.status = status
  }
}
