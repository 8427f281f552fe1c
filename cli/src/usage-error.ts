/** The command line is not valid: no request was sent. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** Command that shows the help, such as `portreeve container list --help`. */
  readonly help: string | undefined;

  constructor(message: string, help?: string) {
    super(message);
    this.help = help;
  }
}
