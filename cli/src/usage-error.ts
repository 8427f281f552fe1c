/** The command was not understood: nothing was asked of the service. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** Where to read on, such as `portreeve container list --help`. */
  readonly help: string | undefined;

  constructor(message: string, help?: string) {
    super(message);
    this.help = help;
  }
}
