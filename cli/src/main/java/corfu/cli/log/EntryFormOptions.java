package corfu.cli.log;

import picocli.CommandLine.Option;

/** The form in which entries are printed for people. */
public final class EntryFormOptions {

  @Option(
      names = "--addresses",
      description =
          "Print each entry's address before its data; of a stream's entry its stream address and"
              + " its log address.")
  private boolean addresses;

  @Option(
      names = "--binary",
      description = "Print the bytes of the data and nothing else, on a terminal, too.")
  private boolean binary;

  /** Returns the form. */
  public EntryPrinter.Form form() {
    if (binary) {
      return EntryPrinter.Form.BYTES;
    }
    return addresses ? EntryPrinter.Form.WITH_ADDRESSES : EntryPrinter.Form.LINES;
  }
}
