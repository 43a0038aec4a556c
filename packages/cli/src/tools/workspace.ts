/** The folder that file tools may touch. */
export class Workspace {
  readonly root: string;

  constructor(root: string) {
    this.root = root;
  }
}
