package corfu.cli.bench;

import picocli.CommandLine.Option;

/** The size of the entries of a benchmark. */
final class EntrySizeOption {

  @Option(
      names = "--size",
      paramLabel = "BYTES",
      description = "Payload of an entry (default: ${DEFAULT-VALUE}).")
  private int sizeBytes;

  /**
   * @param usual the default of the benchmark, in bytes
   */
  EntrySizeOption(int usual) {
    sizeBytes = usual;
  }

  int sizeBytes() {
    return sizeBytes;
  }
}
