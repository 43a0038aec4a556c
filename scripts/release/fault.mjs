/** What keeps a release from going on, and what to do about it. Anything else that is thrown is a bug of these scripts. */
export class ReleaseFault extends Error {
  constructor(what, next) {
    super(what);
    this.next = next;
  }
}
