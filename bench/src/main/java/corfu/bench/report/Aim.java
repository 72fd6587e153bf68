package corfu.bench.report;

import java.util.Optional;

/**
 * The aim of a figure beside the machine's limits of the same run, and the published figure.
 *
 * @param text the aim
 * @param isMet whether the figure meets the aim; empty without an aim
 * @param paper the published figure, of other machines
 */
record Aim(String text, Optional<Boolean> isMet, String paper) {

  static final Aim NONE = new Aim("", Optional.empty(), "");

  /** Returns the text for the cell of a table. */
  String cell() {
    return text + isMet.map(met -> met ? ": **met**" : ": missed").orElse("");
  }

  /** Returns the aim of a value that may be no larger. */
  static Aim atMost(double reached, double most) {
    return new Aim("at most " + most, Optional.of(reached <= most), "");
  }

  /** Returns the aim of a value that may be no smaller. */
  static Aim atLeast(double reached, double least) {
    return new Aim("at least " + least, Optional.of(reached >= least), "");
  }
}
